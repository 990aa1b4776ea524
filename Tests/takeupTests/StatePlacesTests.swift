import Foundation
import TakeupModel
import TakeupService
import TakeupSQL
import TakeupSQLite
import Testing

@testable import takeup

@Suite("State places")
struct StatePlacesTests {
    private func places(
        _ request: StatePlaces.Request = .init(), _ environment: [String: String]
    ) throws(Failure) -> StatePlaces {
        try StatePlaces(
            request, environment: environment,
            absolute: { $0.hasPrefix("/") ? $0 : "/here/\($0)" })
    }

    @Test(
        "defaults follow the XDG directories, where they are absolute",
        arguments: [
            (["HOME": "/u"], "/u/.local/state/takeup", "/u/.cache/takeup"),
            (["XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c"], "/s/takeup", "/c/takeup"),
            (["HOME": "/u", "XDG_STATE_HOME": "s"], "/u/.local/state/takeup", "/u/.cache/takeup"),
        ])
    func defaults(environment: [String: String], home: String, cache: String) throws {
        let places = try places(.init(), environment)
        #expect(places.home == home)
        #expect(places.cache == cache)
        #expect(places.database.path == "\(home)/takeup.sqlite")
    }

    @Test(
        "a database is a path behind sqlite:",
        arguments: [
            ("sqlite:/a/b.db", "/a/b.db"), ("sqlite:b.db", "/here/b.db"),
            ("sqlite:///a/b.db", "/a/b.db"), ("SQLite:/x", "/x"),
        ])
    func databases(url: String, path: String) throws {
        #expect(try places(.init(database: url), ["HOME": "/u"]).database.path == path)
    }

    @Test("a server keeps its secrets to itself, and what is local stays in a file below home")
    func servers() throws {
        let address = "PostgreSQL://user:secret@host:5433/queue?sslmode=require"
        let places = try places(.init(home: "h", cache: "c", database: address), [:])
        #expect(places.database.path == nil)
        #expect(places.database.name == "postgres://host:5433/queue")
        #expect(places.localDatabase == "/here/h/takeup.sqlite")
    }

    @Test(
        "what cannot be used is refused with 78",
        arguments: [
            "postgres:h/d", "sqlite:", "sqlite://host/x", "sqlite:/a/", "a.db", "mysql:x",
        ])
    func refusals(url: String) throws {
        let failure = #expect(throws: Failure.self) {
            try places(.init(database: url), ["HOME": "/u"])
        }
        #expect(failure?.exitCode == .configuration)
    }

    @Test("a cache that cannot be made is told before a database is made for it")
    func uselessCache() async throws {
        let bench = try TestBench()
        let file = try bench.write("x", to: "file")
        let places = try places(.init(home: "\(bench.folder)/home", cache: file), [:])
        let failure = #expect(throws: Failure.self) { try places.requireCache() }
        #expect(failure?.exitCode == .inputOutput && failure?.message.contains(file) == true)
        try places.makeHome()
        try bench.write("", to: "home/takeup.sqlite")
        try places.requireCache()
        let deep = "\(bench.folder)/a/b"
        try StatePlaces(
            .init(home: "\(bench.folder)/other", cache: deep), environment: [:], absolute: { $0 }
        ).requireCache()
        #expect(!FileManager.default.fileExists(atPath: "\(bench.folder)/a"))
        try bench.write("x", to: "clip.mov")
        let line =
            "batch clip.mov --home \(bench.folder)/new --cache \(file) -o \(bench.folder)/out"
        #expect(await bench.run(line) == .inputOutput)
        #expect(!FileManager.default.fileExists(atPath: "\(bench.folder)/new"))
    }

    @Test("no empty database is begun beside a cache whose database is away")
    func databaseAway() async throws {
        let bench = try TestBench()
        let places = "--home \(bench.folder)/h --cache \(bench.folder)/c"
        #expect(await bench.run("cache stats \(places)") == .success)
        let file = "\(bench.folder)/h/takeup.sqlite"
        try FileManager.default.moveItem(atPath: file, toPath: "\(bench.folder)/away")
        try bench.write("x", to: "x.mov")
        for line in ["cache stats", "worker --once", "batch x.mov -o \(bench.folder)/out"] {
            #expect(await bench.run("\(line) \(places)") == .configuration, "\(line)")
            #expect(!FileManager.default.fileExists(atPath: file), "\(line)")
        }
        try FileManager.default.moveItem(atPath: "\(bench.folder)/away", toPath: file)
        #expect(await bench.run("cache stats \(places)") == .success)
    }

    @Test("without HOME the places have to be given")
    func homeless() throws {
        let failure = #expect(throws: Failure.self) { try places(.init(home: "h"), [:]) }
        #expect(failure?.exitCode == .configuration)
        let given = try places(.init(home: "h", cache: "c"), [:])
        #expect(given.home == "/here/h" && given.cache == "/here/c")
        #expect(given.database.path == "/here/h/takeup.sqlite")
    }

    @Test("doctor shows the places and limits with their origins")
    func doctor() async throws {
        let bench = try TestBench()
        try bench.write(#"{"cache": "results", "cache-max-entries": 7}"#, to: "c.json")
        let environment = [
            "HOME": "/u", "TAKEUP_CONFIG": "c.json", "TAKEUP_CACHE_EXPIRES": "30d",
        ]
        _ = await Program.run(
            ["doctor", "--json", "--home", "/h"], in: bench.context(environment: environment))
        let config = "config \(bench.folder)/c.json"
        for (name, value, origin) in [
            ("home", "/h", "flag"), ("cache", "\(bench.folder)/results", config),
            ("database", "sqlite:/h/takeup.sqlite", "default"),
            ("cache-max-entries", "7", config),
            ("cache-expires", "30d", "environment TAKEUP_CACHE_EXPIRES"),
            ("cache-min-free", "1GB", "default"),
        ] {
            let setting = #"{"name":"\#(name)","value":"\#(value)","origin":"\#(origin)"}"#
            #expect(bench.output.text.contains(setting))
        }
    }

    @Test(
        "a refused address is shown as far as it holds no secret",
        arguments: [
            ("host=127.0.0.1 password=tkSecret99", "…"),
            ("postgre://u:tkSecret99@h/x", "postgre:…"),
            ("postgres:/u:tkSecret99@h", "postgres:…"), ("password=a://tkSecret99", "…"),
            ("mysql://h/x?password=tkSecret99", "mysql:…"),
            ("/var/lib/a-b_1.db", "/var/lib/a-b_1.db"),
            ("sqlite:", "sqlite:"), ("sqlite:a b/", "sqlite:a b/"),
        ])
    func refusedAddress(text: String, shown: String) async throws {
        let bench = try TestBench()
        let words = ["jobs", "list", "--home", "h", "--cache", "c", "--database", text]
        let code = await Program.run(words, in: bench.context())
        #expect(code == .configuration)
        #expect(bench.diagnostics.text.contains("the database cannot be '\(shown)'"))
        #expect(!bench.diagnostics.text.contains("tkSecret99"))
        let argument = Array("password=tkSecret99 x".utf8)
        #expect(HiddenSecrets.secret(in: argument[...]) == [9..<argument.count])
    }

    @Test(
        "a refused address of objects is shown as far as it holds no secret",
        arguments: [
            ("s3://me:tkSecret99@Films/x", "s3://Films/x"),
            ("s3://Films?key=tkSecret99", "s3://Films?…"),
            ("https://me:tkSecret99@h/films", "https://h/films"), ("b2://me:tkSecret99@h", "b2:…"),
        ])
    func refusedObjects(text: String, shown: String) async throws {
        for words in [["cache", "list", "--objects", text], ["cache", "copy", text, "d"]] {
            let bench = try TestBench()
            let code = await Program.run(
                words + ["--home", "h", "--cache", "c"], in: bench.context())
            #expect([.configuration, .usage].contains(code))
            #expect(bench.diagnostics.text.contains(" cannot be in '\(shown)'"))
            #expect(!bench.diagnostics.text.contains("tkSecret99"))
        }
    }

    @Test("a place that cannot be used is doctor's finding")
    func doctorRefuses() async throws {
        let bench = try TestBench()
        let environment = ["HOME": "/u", "TAKEUP_DATABASE": "mysql://x"]
        let code = await Program.run(["doctor"], in: bench.context(environment: environment))
        #expect(code == .configuration)
        #expect(bench.output.text.contains("the database cannot be 'mysql:…'"))
    }

    @Test(
        "doctor says of each place that a batch could not be done there",
        arguments: ["home", "cache"])
    func doctorFindsFiles(option: String) async throws {
        let bench = try TestBench()
        try bench.write("", to: "file")
        func doctor(_ places: [String: String]) async -> ExitCode {
            let options = places.flatMap { ["--\($0)", "\(bench.folder)/\($1)"] }
            return await Program.run(["doctor"] + options, in: bench.context())
        }
        var places = ["home": "h", "cache": "c"]
        #expect(await doctor(places) == .success)
        places[option] = "file/below"
        let code = await doctor(places)
        #expect(code == .configuration)
        #expect(bench.output.text.contains("\(bench.folder)/file is no folder"))
        let made = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
        #expect(made == ["file"])
    }

    @Test("who only exports is warned of a home that cannot be written, and no more")
    func doctorWarns() async throws {
        let bench = try TestBench()
        try bench.write("", to: "file")
        let environment = ["HOME": "\(bench.folder)/file"]
        let code = await Program.run(["doctor"], in: bench.context(environment: environment))
        #expect(code == .success)
        #expect(bench.output.text.contains("\(bench.folder)/file is no folder"))
    }

    @Test(
        "every kind of database error has its exit code",
        arguments: [
            (14, SQLError.Operation.open, 69), (11, .step, 69), (26, .open, 69), (8, .step, 77),
            (13, .step, 74), (5, .step, 75), (10, .step, 74),
        ] as [(Int32, SQLError.Operation, Int32)])
    func databaseErrors(code: Int32, operation: SQLError.Operation, exitCode: Int32) {
        let error = SQLError(operation, code: code, message: "why", database: "/h/t.sqlite")
        let failure = Failure(error)
        #expect(failure.exitCode.rawValue == exitCode)
        #expect(failure.message.contains("/h/t.sqlite"))
        #expect(failure.hint.count > 1)
    }

    @Test("another user's home folder is refused, the system's own is not")
    func foreignHome() throws {
        let bench = try TestBench()
        let home = "\(bench.folder)/home"
        #expect(mkdir(home, 0o700) == 0)
        #expect(StatePlaces.foreignHome(home, user: geteuid()) == nil)
        #expect(StatePlaces.foreignHome("/", user: 12345) == nil)
        let isRoot = geteuid() == 0
        if isRoot { chown(home, 65534, 65534) }
        let failure = StatePlaces.foreignHome(home, user: isRoot ? 0 : geteuid() + 1)
        #expect(failure?.exitCode == .notPermitted && failure?.code == "homeForeign")
    }
}

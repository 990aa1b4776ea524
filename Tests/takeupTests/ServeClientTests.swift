import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import TakeupClient
@testable import takeup

@Suite("Commands that ask a server")
struct ServeClientTests {
    private static let token = "0123456789abcdef-admin"

    private func clip(in server: ServeBench, _ name: String = "clip.mov") throws {
        try Clip.base(seconds: 1).bytes().write(to: URL(filePath: server.file(name)))
    }

    @Test("a job that is submitted at one door is seen at every other")
    func doors() throws {
        let server = try ServeBench(["--no-workers"])
        let job = #"{"source": "https://example.com/a.mov?key=secret", "id": "http"}"#
        #expect(try server.ask("POST", "/v1/jobs", job).status == 201)
        #expect(try server.local(["submit", "https://example.com/b.mov", "--id", "own"]).succeeded)
        let sent = try server.client([
            "submit", "https://example.com/c.mov", "--id", "client", "--preset", "low",
            "--set", "video.crf=30", "--start", "1.5", "--priority", "7", "--expires", "7d",
            "--metadata", "title=A story",
        ])
        #expect(sent.succeeded, "\(sent.errorText)")
        for outcome in [
            try server.local(["jobs", "list", "--json"]),
            try server.client(["jobs", "list", "--json"]),
        ] {
            let jobs = try JSONSerialization.jsonObject(with: outcome.standardOutput)
            let ids = (jobs as? [[String: Any]])?.compactMap { $0["id"] as? String }
            #expect(ids == ["client", "own", "http"])
        }
        // What one side explains, the other explains in the same words; time passes between the two.
        for id in ["http", "own", "client"] {
            let words = ["jobs", "show", id]
            let shown = try [server.client(words), server.local(words)].map {
                $0.outputText.replacing(/Z \([^)]*\)/, with: "Z")
            }
            #expect(shown[0] == shown[1] && shown[0].contains("accepted"))
            let json = words + ["--json"]
            #expect(try server.client(json).outputText == server.local(json).outputText)
        }
        #expect(try server.client(["jobs", "list"]).outputText.contains("secret") == false)
        #expect(server.stop().exitCode == 143)
    }

    @Test("workers are listed as beside the server, also one that has been silent")
    func workers() throws {
        let server = try ServeBench(["--workers", "3"])
        let place = server.file("home/takeup.sqlite")
        let silent = try Subprocess.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", place,
                """
                INSERT INTO worker (id, host, process, version, state, lanes, running, queues, tags,
                    started_at, seen_at) VALUES ('old', 'far', 7, '0.1', 'working', 4, 1, 'a,b',
                    'gpu', unixepoch() - 900, unixepoch() - 100)
                """,
            ])
        #expect(silent.succeeded, "\(silent.errorText)")
        func listed(_ outcome: Subprocess.Outcome) throws -> [[String: Any]] {
            let json = try JSONSerialization.jsonObject(with: outcome.standardOutput)
            return try #require(json as? [[String: Any]])
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while try listed(server.local(["workers", "list", "--json"])).count < 2 {
            try #require(ContinuousClock.now < deadline)
            usleep(50_000)
        }
        let own = try listed(server.local(["workers", "list", "--json"]))
        let told = try listed(server.client(["workers", "list", "--json"]))
        for (one, other) in zip(own, told) {
            for (key, value) in one where key != "lastSeenAt" {
                #expect("\(value)" == "\(other[key] ?? "nothing")", "\(key)")
            }
        }
        #expect(told.count == 2 && Set(told.compactMap { $0["state"] as? String }).count == 2)
        let table = try server.client(["workers", "list"]).outputText
        #expect(table.contains("silent") && table.contains("15 min ago"), "\(table)")
        #expect(server.stop().exitCode == 143)
    }

    @Test("lists by state, prefix and preset, page after page")
    func lists() throws {
        let server = try ServeBench(["--no-workers"])
        let jobs = (0..<700).map {
            #"{"source": "https://example.com/\#($0).mov", "id": "job-\#($0)"}"#
        }
        let body = "[\(jobs.joined(separator: ","))]"
        try Data(body.utf8).write(to: URL(filePath: server.file("jobs.json")))
        #expect(try server.ask("POST", "/v1/jobs", "@\(server.file("jobs.json"))").status == 200)
        let all = try server.client(["jobs", "list", "--json"])
        let parsed = try JSONSerialization.jsonObject(with: all.standardOutput) as? [[String: Any]]
        #expect(parsed?.count == 700)
        let some = try server.client(["jobs", "list", "--id-prefix", "job-69", "--json"])
        #expect(
            some.outputText
                == (try server.local(
                    ["jobs", "list", "--id-prefix", "job-69", "--json"])).outputText)
        #expect(try server.client(["jobs", "list", "--state", "failed"]).outputText.isEmpty)
        #expect(server.stop().exitCode == 143)
    }

    @Test("cancels, retries, prunes, and says what is not there")
    func changes() throws {
        let server = try ServeBench(["--no-workers"])
        #expect(try server.client(["submit", "https://example.com/a.mov", "--id", "a"]).succeeded)
        let cancelled = try server.client(["jobs", "cancel", "a"])
        #expect(cancelled.outputText == "a: cancelled\n", "\(cancelled.errorText)")
        #expect(try server.client(["jobs", "retry", "a"]).outputText == "a: queued\n")
        #expect(try server.client(["jobs", "cancel", "a", "none"]).exitCode == 66)
        #expect(
            try server.client(["jobs", "prune", "--older-than", "0"]).outputText
                == "1 job forgotten\n")
        let unknown = try server.client(["jobs", "show", "a"])
        #expect(unknown.exitCode == 66)
        #expect(unknown.errorText.contains("there is no job 'a'"))
        #expect(server.stop().exitCode == 143)
    }

    @Test("a job is followed to its end, and its result is read from its address")
    func following() throws {
        let server = try ServeBench(["--allow-path", "."])
        try clip(in: server)
        let done = try server.client(["submit", "clip.mov", "--id", "story", "--wait", "--json"])
        #expect(done.succeeded, "\(done.errorText)")
        let types = done.outputText.split(separator: "\n").map { $0.split(separator: "\"")[3] }
        #expect(types.first == "submitted" && types.last == "finished")
        let entry = try server.client(["cache", "get", "story"])
        let address = entry.outputText.trimmingCharacters(in: .newlines)
        #expect(address == "\(server.url)/media/story.mp4")
        for words in [["cache", "list"], ["cache", "stats"], ["cache", "pin", "story"]] {
            let outcome = try server.client(words)
            #expect(outcome.succeeded, "\(words): \(outcome.errorText)")
        }
        #expect(try server.client(["cache", "remove", "story"]).exitCode == 1)
        #expect(try server.client(["cache", "unpin", "story"]).succeeded)
        #expect(
            try server.client(["cache", "remove", "story"]).outputText == "story: removed\n")
        #expect(try server.client(["cache", "get", "story"]).exitCode == 66)
        #expect(server.stop().exitCode == 143)
    }

    @Test("a timeline is told to the server, with the files that are sent for it")
    func timeline() throws {
        let server = try ServeBench([])
        try clip(in: server)
        let text = """
            {"version": 1, "tracks": [{"segments": [
                {"empty": "0.5"}, {"source": "clip.mov", "speed": 2}, {"empty": 1}]}],
             "titles": [{"text": "Hello"}],
             "subtitles": [{"source": "en.srt", "language": "eng"}]}
            """
        try Data("1\n00:00:00,500 --> 00:00:01,000\nhello\n".utf8)
            .write(to: URL(filePath: server.file("en.srt")))
        try Data(text.utf8).write(to: URL(filePath: server.file("story.takeup.json")))
        let done = try server.client([
            "submit", "story.takeup.json", "--id", "story", "--upload", "--wait", "--json",
            "--preset", "low",
        ])
        #expect(done.succeeded, "\(done.errorText)")
        let shown = try server.client(["jobs", "show", "story", "--json"]).standardOutput
        let job = try JSONSerialization.jsonObject(with: shown) as? [String: Any]
        let told = (job?["spec"] as? [String: Any])?["timeline"] as? [String: Any]
        let tracks = told?["tracks"] as? [[String: Any]]
        #expect((tracks?.first?["segments"] as? [Any])?.count == 3, "\(job ?? [:])")
        // The font and the subtitles were sent as well.
        let titles = told?["titles"] as? [[String: Any]]
        #expect((titles?.first?["font"] as? String)?.hasPrefix("upload:") == true, "\(told ?? [:])")
        #expect((told?["subtitles"] as? [Any])?.count == 1)
        let result = job?["result"] as? [String: Any]
        #expect(abs((result?["duration"] as? Double ?? 0) - 2) < 0.05, "\(job ?? [:])")
        #expect(server.stop().exitCode == 143)
    }

    @Test("a batch is done by the server, and ends with 3 when a job fails")
    func batch() throws {
        let server = try ServeBench(["--allow-path", "."])
        try clip(in: server, "a.mov")
        try clip(in: server, "b.mov")
        let done = try server.client(["batch", "a.mov", "b.mov", "-o", "out", "--preset", "low"])
        #expect(done.succeeded, "\(done.errorText)")
        #expect(FileManager.default.fileExists(atPath: server.file("out/a.mp4")))
        try Data("none".utf8).write(to: URL(filePath: server.file("bad.mov")))
        #expect(try server.client(["batch", "bad.mov", "--retries", "0"]).exitCode == 3)
        #expect(try server.client(["batch", "a.mov", "--dry-run"]).exitCode == 64)
        #expect(server.stop().exitCode == 143)
    }

    @Test("without a token, with a wrong one and with too small a one: 77, and what helps")
    func tokens() throws {
        let bench = try TestBench()
        let file = "\(bench.folder)/tokens"
        let lines = "admin \(Self.token) me\nread 0123456789abcdef-read other\n"
        #expect(
            FileManager.default.createFile(
                atPath: file, contents: Data(lines.utf8), attributes: [.posixPermissions: 0o600]))
        let server = try ServeBench(["--token-file", file, "--no-workers"], in: bench.folder)
        let none = try server.client(["jobs", "list"])
        #expect(none.exitCode == 77)
        #expect(none.errorText.contains("TAKEUP_TOKEN"))
        func variable(_ token: String) -> [String: String] { ["TAKEUP_TOKEN": token] }
        #expect(
            try server.client(["jobs", "list"], environment: variable("0123456789abcdef-wrong"))
                .exitCode == 77)
        #expect(
            try server.client(["jobs", "list"], environment: variable("0123456789abcdef-read"))
                .succeeded)
        let small = try server.client(
            ["submit", "https://example.com/a.mov"], environment: variable("0123456789abcdef-read"))
        #expect(small.exitCode == 77)
        #expect(small.errorText.contains("submit"))
        let own = try server.client(
            ["submit", "https://example.com/a.mov", "--token-file", "tokens"])
        #expect(own.succeeded, "\(own.errorText)")
        #expect(!own.errorText.contains("unencrypted"))
        let end = server.stop()
        #expect(end.exitCode == 143)
        #expect(!end.errorText.contains("0123456789abcdef"))
    }

    @Test(
        "a server that is not there ends a command with 69 and its address; a wrong address with 64"
    )
    func unreachable() throws {
        let bench = try TestBench()
        for (address, code) in [
            ("http://127.0.0.1:9", 69), ("unix:/none.sock", 69), ("http://localhost:9/path", 64),
            ("ftp://a", 64), ("media.example.com", 64),
        ] as [(String, Int32)] {
            let outcome = try Subprocess.run(
                BuiltProduct.path(of: "takeup"), ["jobs", "list", "--server", address],
                directory: bench.folder, timeoutSeconds: 60)
            #expect(outcome.exitCode == code, "\(address): \(outcome.errorText)")
            if code == 69 { #expect(outcome.errorText.contains(address.prefix(18))) }
        }
    }

    @Test("other commands refuse --server, and leave the variable alone")
    func others() async throws {
        let bench = try TestBench()
        #expect(await bench.run("worker --once --server http://127.0.0.1:9") == .usage)
        #expect(await bench.run("watch . --server http://127.0.0.1:9") == .usage)
        #expect(await bench.run("cache verify --server http://127.0.0.1:9") == .usage)
        let context = bench.context(environment: ["TAKEUP_SERVER": "http://127.0.0.1:9"])
        #expect(await Program.run(["presets", "list"], in: context) == .success)
    }
}

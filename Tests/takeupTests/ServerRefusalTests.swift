import Foundation
import TakeupJobs
import TakeupService
import TestSupport
import Testing

/// Servers that refuse, and what commands say of it.
@Suite("A server that refuses", .serialized)
struct ServerRefusalTests {
    static let secret = "SeCrEtWoRd"
    /// An address of this machine that no other test has.
    static let host =
        "127.\(64 + getpid() >> 16 & 63).\(getpid() >> 8 & 255).\(getpid() & 255)"

    private static let server = Result {
        let server = try PostgresServer(folder: "/tmp/takeup-pg-\(getpid())-refusing", host: host)
        try server.run(
            "CREATE ROLE locked LOGIN PASSWORD '\(secret)'", "CREATE ROLE plain LOGIN",
            "CREATE ROLE standby LOGIN SUPERUSER",
            "ALTER ROLE standby SET default_transaction_read_only = on", "CREATE DATABASE used",
            "CREATE DATABASE other")
        // In place, so that the file stays the server's own.
        let rules = try FileHandle(
            forWritingTo: URL(filePath: "\(server.folder)/data/pg_hba.conf"))
        try rules.truncate(atOffset: 0)
        try rules.write(
            contentsOf: Data(
                """
                local all all trust
                host all locked 127.0.0.0/8 scram-sha-256
                host all all 127.0.0.0/8 trust
                local replication all trust

                """.utf8))
        try server.run("SELECT pg_reload_conf()")
        return server
    }

    let bench: TestBench
    let server: PostgresServer

    init() throws {
        bench = try TestBench()
        server = try Self.server.get()
        try FileManager.default.copyItem(
            atPath: try Clip.base(seconds: 1).path, toPath: "\(bench.folder)/a.mp4")
    }

    func start(_ line: String, on address: String) throws -> Subprocess {
        let words =
            line.split(separator: " ").map(String.init) + [
                "--home", "\(bench.folder)/home", "--cache", "\(bench.folder)/cache",
                "--database", address,
            ]
        return try Subprocess(BuiltProduct.path(of: "takeup"), words, directory: bench.folder)
    }

    func run(_ line: String, on address: String) throws -> Subprocess.Outcome {
        try start(line, on: address).wait()
    }

    static func address(
        of user: String, password: String = secret, host: String = host, database: String = "used",
        options: String = ""
    ) -> String {
        "postgres://\(user):\(password)@\(host)/\(database)\(options)"
    }

    /// Every command ends with a code, says words and never the password.
    private func expectRefusal(
        of address: String, _ exitCode: Int32, _ words: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for line in ["submit a.mp4", "jobs list --json", "worker --once", "doctor"] {
            let ended = try run(line, on: address)
            let said = ended.outputText + ended.errorText
            // Its own code says that something is wrong with the settings.
            #expect(
                ended.exitCode == (line == "doctor" ? 78 : exitCode), "\(line): \(said)",
                sourceLocation: sourceLocation)
            for word in words {
                #expect(
                    said.contains(word), "\(line): \(said)", sourceLocation: sourceLocation)
            }
            #expect(!said.contains(Self.secret), "\(line): \(said)", sourceLocation: sourceLocation)
        }
    }

    @Test("a wrong password, a missing one and an unknown user end with 77")
    func strangers() throws {
        let words = [
            "check the user and its password (~/.pgpass, PGPASSFILE, PGPASSWORD or a service file)"
        ]
        try expectRefusal(
            of: Self.address(of: "locked", password: "\(Self.secret)X"), 77,
            ["password authentication failed"] + words)
        try expectRefusal(of: "postgres://locked@\(Self.host)/used", 77, ["no password"] + words)
        try expectRefusal(of: Self.address(of: "nobody"), 77, ["role \"nobody\""] + words)
    }

    @Test("a user without a right ends with 77, before the tables are made and after")
    func rights() throws {
        let hint = "make this user the owner of the database"
        let address = Self.address(of: "plain", database: "other")
        for word in ["schema", "table"] {
            for line in ["submit a.mp4", "jobs list --json", "worker --once"] {
                let ended = try run(line, on: address)
                #expect(ended.exitCode == 77, "\(line): \(ended.errorText)")
                let said = ended.outputText + ended.errorText
                #expect(said.contains("permission denied for \(word)"), "\(line): \(said)")
                #expect(said.contains(hint), "\(line): \(said)")
            }
            let doctor = try run("doctor", on: address)
            let finding = word == "schema" ? "may not make tables" : "permission denied"
            #expect(
                doctor.exitCode == 78 && doctor.outputText.contains(finding), "\(doctor.outputText)"
            )
            let owner = Self.address(of: "takeup", database: "other")
            #expect(try run("submit a.mp4", on: owner).exitCode == 0)
        }
    }

    @Test("a server that is away or takes no writes when a command starts ends it with 69")
    func away() throws {
        try expectRefusal(
            of: Self.address(of: "takeup", host: "\(Self.host):1"), 69,
            ["Connection refused", "that the server runs, can be reached and takes writes"])
        try expectRefusal(
            of: Self.address(of: "standby"), 69, ["read-only", "may name several hosts"])
        try expectRefusal(
            of: Self.address(of: "takeup", database: "missing"), 69,
            ["database \"missing\" does not exist", "check its address"])
        try expectRefusal(
            of: Self.address(of: "takeup", options: "?sslmode=much"), 69,
            ["invalid sslmode value", "check its address"])
    }

    @Test("a server without TLS, or with a certificate for another name, ends commands with 69")
    func encryption() throws {
        let hint = "sslmode in the address says how much of that is asked for"
        func address(_ options: String) -> String {
            Self.address(of: "takeup", options: "?sslmode=\(options)")
        }
        try expectRefusal(
            of: address("require"), 69, ["does not support SSL, but SSL was required", hint])
        let trusted = "\(bench.folder)/root.crt"
        let place = "\(server.folder)/data"
        let made = try Subprocess.run(
            "sh",
            [
                "-c",
                """
                openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=db.example -days 2 \
                    -keyout server.key -out server.crt && chmod 600 server.key \
                    && chown --reference=PG_VERSION server.key server.crt && cp server.crt \(trusted)
                """,
            ], directory: place)
        try #require(made.exitCode == 0, "\(made.errorText)")
        try server.run("ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()")
        let deadline = ContinuousClock.now + .seconds(30)
        while try run("jobs list", on: address("require")).exitCode != 0 {
            try #require(ContinuousClock.now < deadline, "the server has no TLS")
        }
        try expectRefusal(
            of: address("verify-full&sslrootcert=\(trusted)"), 69,
            ["server certificate for \"db.example\" does not match host name", hint])
        try expectRefusal(
            of: address("verify-ca&sslrootcert=\(bench.folder)/none.crt"), 69,
            ["root certificate file", hint])
        #expect(
            try run("jobs list", on: address("verify-ca&sslrootcert=\(trusted)")).exitCode == 0)
    }

    @Test("a failover to a server that takes no writes is told with 69, and costs no job")
    func failover() throws {
        let address = Self.address(of: "takeup")
        try FileManager.default.copyItem(
            atPath: try Clip.base(seconds: 30).path, toPath: "\(bench.folder)/long.mp4")
        #expect(
            try run("submit long.mp4 --id one --preset 640x480", on: address).exitCode == 0)
        let worker = try start("worker --quiet", on: address)
        func state() throws -> JobRecord? {
            try StatePlaces(
                home: "\(bench.folder)/home", cache: "\(bench.folder)/cache",
                database: DatabaseAddress(address, absolute: { $0 })
            ).openQueue().job(JobID(rawValue: "one"))
        }
        func awaitState(_ expected: JobState) throws {
            let deadline = ContinuousClock.now + .seconds(60)
            while try state()?.state != expected {
                try #require(ContinuousClock.now < deadline, "it is never \(expected)")
                usleep(20_000)
            }
        }
        try awaitState(.running)
        try server.run(
            "ALTER DATABASE used SET default_transaction_read_only = on",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'used'")
        let refused = try run("submit a.mp4 --id two", on: address)
        #expect(refused.exitCode == 69 && refused.errorText.contains("read-only"))
        // Longer than the tries that every database gets.
        sleep(3)
        try server.run("ALTER DATABASE used RESET default_transaction_read_only")
        try awaitState(.succeeded)
        let done = try #require(try state())
        #expect(done.machine.failures == 0 && done.machine.interruptions == 0)
        worker.signal(SIGTERM)
        #expect(worker.wait().exitCode == 143)
        #expect(try run("jobs show two", on: address).exitCode == 66)
    }
}

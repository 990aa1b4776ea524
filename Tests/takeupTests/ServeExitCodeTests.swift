import Foundation
import TestSupport
import Testing

@testable import takeup

@Suite("Exit codes of commands that ask a server")
struct ServeExitCodeTests {
    @Test("a job that fails at a server ends a command as one of this machine does")
    func failedJobs() throws {
        let server = try ServeBench(["--allow-path", "."])
        try Data("no media".utf8).write(to: URL(filePath: server.file("bad.mov")))
        for (name, code) in [("bad.mov", 65 as Int32), ("missing.mov", 66)] {
            let words = ["submit", name, "--retries", "0", "--wait"]
            let remote = try server.client(words + ["--id", "remote-\(name)"])
            #expect(remote.exitCode == code, "\(remote.errorText)")
            #expect(try server.local(words + ["--id", "local-\(name)"]).exitCode == code)
            let detail = try server.ask("GET", "/v1/jobs/remote-\(name)").body
            #expect(detail.contains(#""exitCode":\#(code)}"#), "\(detail)")
            let show = ["jobs", "show", "remote-\(name)", "--json"]
            #expect(try server.client(show).outputText == server.local(show).outputText)
        }
        #expect(server.stop().exitCode == 143)
    }

    @Test("a refusal says in its problem what a command ends with")
    func problems() throws {
        let server = try ServeBench(["--no-workers"])
        for (method, path, json, code) in [
            ("GET", "/v1/jobs/none", nil, 66), ("GET", "/nothing", nil, 66),
            ("POST", "/v1/jobs", #"{"source": "/etc/passwd"}"#, 77),
            ("POST", "/v1/jobs", #"{"sorce": "a.mov"}"#, 64), ("GET", "/v1/jobs?limit=x", nil, 64),
        ] as [(String, String, String?, Int)] {
            let body = try server.ask(method, path, json).body
            #expect(body.contains(#""exitCode":\#(code),"#), "\(body)")
        }
        // A job that another one has the name of.
        let job = ["submit", "https://a.example/a.mov", "--id", "story"]
        #expect(try server.client(job).exitCode == 0)
        let other = job + ["--preset", "low"]
        #expect(try server.client(other).exitCode == 64)
        #expect(try server.local(other).exitCode == 64)
        // The head is refused before any route sees it.
        let long = String(repeating: "x", count: 17_000)
        #expect(try server.ask("GET", "/\(long)").body.contains(#""exitCode":64,"#))
        let several =
            #"[{"source": "/etc/passwd"}, {"source": "https://a.example/", "id": "lookup"}]"#
        let placed = try server.ask("POST", "/v1/jobs", several)
        #expect(placed.status == 200 && placed.body.contains(#""exitCode":77}"#), "\(placed.body)")
        #expect(placed.body.contains(#""exitCode":64}"#))
        #expect(server.stop().exitCode == 143)
    }

    @Test("what no server does is refused, and never done here instead")
    func onlyHere() throws {
        let bench = try TestBench()
        let outcome = try Subprocess.run(
            BuiltProduct.path(of: "takeup"), ["cache", "verify"],
            environment: [
                "TAKEUP_HOME": "\(bench.folder)/home", "TAKEUP_CACHE": "\(bench.folder)/cache",
                "TAKEUP_SERVER": "http://127.0.0.1:9",
            ], directory: bench.folder, timeoutSeconds: 60)
        #expect(outcome.exitCode == 64, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("without --server and TAKEUP_SERVER"))
        #expect(!FileManager.default.fileExists(atPath: "\(bench.folder)/home"))
    }

    @Test("every subcommand of the queue and of the cache knows --server")
    func specifications() {
        for command in JobsTable.specification.subcommands + CacheTable.specification.subcommands {
            #expect(command.options.contains { $0.name == "server" }, "\(command.name)")
        }
    }
}

import Foundation
import TakeupHTTP
import TestSupport
import Testing

@testable import takeup

@Suite("The server's command")
struct ServeCommandTests {
    @Test(
        "reads where to listen",
        arguments: [
            ("127.0.0.1:8080", .tcp(host: "127.0.0.1", port: 8080)),
            ("localhost:0", .tcp(host: "127.0.0.1", port: 0)),
            ("[::1]:80", .tcp(host: "::1", port: 80)),
            ("unix:/run/t.sock", .unix(path: "/run/t.sock")),
            ("unix:", nil), ("8080", nil), (":8080", nil), ("::1:80", nil), ("[127.0.0.1]:80", nil),
            ("example.com:80", nil), ("127.0.0.1:65536", nil), ("127.0.0.1:-1", nil),
            ("127.0.0.1:", nil), ("0x7f.1:80", nil), ("unix:/a\0b", nil),
        ] as [(String, HTTPServer.Address?)])
    func places(text: String, expected: HTTPServer.Address?) {
        #expect(HTTPServer.Address(parsing: text) == expected)
    }

    @Test(
        "refuses before anything is opened",
        arguments: [
            (["--listen", "example.com:80"], 64), (["--public-url", "https://a.example/b"], 64),
            (["--public-url", "ftp://a.example"], 64), (["--upload-limit", "much"], 64),
            (["--listen", "0.0.0.0:0"], 78), (["--listen", "[::]:0"], 78),
            (["--allow-path", "h"], 78), (["--allow-path", "c/objects"], 78),
            (["--token-file", "none"], 78), (["extra"], 64), (["--server", "http://a"], 64),
        ] as [([String], Int32)])
    func refusals(words: [String], code: Int32) async throws {
        let bench = try TestBench()
        let outcome = try Subprocess.run(
            BuiltProduct.path(of: "takeup"), ["serve"] + words,
            environment: ["TAKEUP_HOME": "\(bench.folder)/h", "TAKEUP_CACHE": "\(bench.folder)/c"],
            directory: bench.folder, timeoutSeconds: 30)
        #expect(outcome.exitCode == code, "\(outcome.errorText)")
        #expect(outcome.errorText.hasPrefix("takeup: error: "))
    }

    @Test("a place that is taken ends it with 69, one that does not exist with 78")
    func taken() throws {
        let server = try ServeBench()
        let port = server.url.split(separator: ":").last.map(String.init) ?? ""
        let second = try server.local(["serve", "--listen", "127.0.0.1:\(port)"])
        #expect(second.exitCode == 69)
        #expect(second.errorText.contains("--listen names another place"))
        #expect(try server.local(["serve", "--listen", "unix:none/a"]).exitCode == 78)
        #expect(
            try server.local(["serve", "--listen", "192.0.2.1:0", "--token-file", "none"])
                .exitCode == 78)
        #expect(server.stop().exitCode == 143)
    }

    @Test("with too few open files it ends with 78 and says what helps")
    func fewFiles() throws {
        let bench = try TestBench()
        let outcome = try Subprocess.run(
            "/bin/sh",
            [
                "-c", "ulimit -n 50 && exec \"$@\"", "sh", try BuiltProduct.path(of: "takeup"),
                "serve", "--listen", "127.0.0.1:0",
            ],
            environment: ["TAKEUP_HOME": "\(bench.folder)/h", "TAKEUP_CACHE": "\(bench.folder)/c"],
            timeoutSeconds: 30)
        #expect(outcome.exitCode == 78)
        #expect(outcome.errorText.contains("ulimit -n"))
    }

    @Test("says where it is, to people and to scripts", arguments: [false, true])
    func ready(isJSON: Bool) throws {
        let server = try ServeBench(isJSON ? ["--json"] : [])
        let outcome = try server.curl(["-o", "/dev/null", "-w", "%{http_code}", "\(server.url)/"])
        #expect(outcome.outputText == "200")
        let end = server.stop()
        if isJSON {
            let line = #"{"type":"ready","url":"\#(server.url)"}"#
            #expect(end.outputText.split(separator: "\n").contains(Substring(line)))
        } else {
            #expect(end.errorText.contains("the dashboard is \(server.url)/"))
            #expect(end.outputText.isEmpty)
        }
    }

    @Test(
        "a signal ends it and gives the exit code, also while somebody reads events",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signals(number: Int32, code: Int32) throws {
        let server = try ServeBench()
        var reader = try Subprocess("curl", ["-sN", "-m", "60", "\(server.url)/v1/events"])
        let isOpen = reader.waitForOutput(containing: "retry:", timeoutSeconds: 30)
        #expect(isOpen)
        let began = ContinuousClock.now
        #expect(server.stop(number).exitCode == code)
        #expect(ContinuousClock.now - began < .seconds(15))
        let read = reader.wait(timeoutSeconds: 30)
        #expect(read.exitCode == 0)
    }

    @Test("an allowed folder that is not there is warned of, and what clients can use is told")
    func ownPlaces() throws {
        let server = try ServeBench(["--no-workers", "--allow-path", "away"])
        let end = server.stop()
        #expect(end.errorText.contains("there is no folder \(server.file("away")) now"))
        let every = HTTPServer.Address.tcp(host: "0.0.0.0", port: 80)
        #expect(ServeRun.reachable(every, nil) == "http://127.0.0.1:80")
        #expect(ServeRun.reachable(every, "https://m.example") == "https://m.example")
        let own = HTTPServer.Address.tcp(host: "127.0.0.1", port: 80)
        #expect(ServeRun.reachable(own, "https://m.example") == "http://127.0.0.1:80")
    }

    @Test("works without workers, and then leaves jobs to others")
    func alone() throws {
        let server = try ServeBench(["--no-workers"])
        let job = #"{"source": "https://example.com/a.mov", "id": "a"}"#
        #expect(try server.ask("POST", "/v1/jobs", job).status == 201)
        let shown = try server.local(["jobs", "show", "a", "--json"])
        #expect(shown.outputText.contains(#""state":"queued""#))
        let end = server.stop()
        #expect(end.exitCode == 143)
        #expect(end.errorText.contains("no worker here"))
    }
}

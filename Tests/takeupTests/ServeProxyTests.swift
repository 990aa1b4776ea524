import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Addresses for players")
struct ServeProxyTests {
    @Test("is made without a server, and read through one that starts later, byte for byte")
    func offline() throws {
        let bench = try AddressBench()
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let source = bench.serve("/clip.bin", bytes)
        let made = try Subprocess.run(
            BuiltProduct.path(of: "takeup"), ["proxy-url", source],
            environment: ["TAKEUP_HOME": bench.file("home")]
        ).requireSuccess().outputText.trimmingCharacters(in: .newlines)
        let start = "http://127.0.0.1:8080/p/"
        #expect(made.hasPrefix(start) && made.hasSuffix("/clip.bin"))
        let server = try ServeBench(
            ["--allow-network", "127.0.0.1", "--no-workers"], home: bench.file("home"),
            cache: bench.file("cache"), in: bench.bench.folder)
        let place = "\(server.url)/p/\(made.dropFirst(start.count))"
        #expect(try server.curl([place]).standardOutput == Data(bytes))
        let part = try server.curl(["-r", "1000-1999", place]).standardOutput
        #expect(part == Data(bytes[1000...1999]))
        // One that nobody has signed.
        let forged = place.replacing("/p/M", with: "/p/N")
        let status = try server.curl(["-o", "/dev/null", "-w", "%{http_code}", forged])
        #expect(status.outputText == "403")
        let asked = try server.client(["proxy-url", source])
        #expect(asked.outputText.hasPrefix("\(server.url)/p/"), "\(asked.errorText)")
        #expect(
            try server.curl([asked.outputText.trimmingCharacters(in: .newlines)]).standardOutput
                == Data(bytes))
        #expect(server.stop().exitCode == 143)
    }

    @Test("says what it cannot sign")
    func refusals() async throws {
        let bench = try TestBench()
        for line in [
            "proxy-url a.mov", "proxy-url ftp://e.example/a", "proxy-url https://u@e.example/a",
            "proxy-url https://e.example/a --header Cookie",
            "proxy-url https://e.example/a --expires soon", "proxy-url",
            "proxy-url https://e.example/a --listen unix:s.sock",
        ] { #expect(await bench.run("\(line) --home home --cache cache") == .usage, "\(line)") }
        #expect(
            await bench.run("proxy-url https://e.example/a --home home --cache cache") == .success)
        let long = "https://e.example/a?" + String(repeating: "x", count: 12_200)
        #expect(await bench.run("proxy-url \(long) --home home --cache cache") == .usage)
        #expect(bench.diagnostics.text.contains("the limit is 16128"))
        let key = "\(bench.folder)/home/serve.key"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        #expect(
            await bench.run("proxy-url https://e.example/a --home home --cache cache")
                == .configuration)
    }

    @Test("tells scripts of the source without its secrets")
    func json() async throws {
        let bench = try TestBench()
        let line =
            "proxy-url https://e.example/a.mov?key=secret --home home --cache cache --json --listen"
        #expect(await bench.run("\(line) [::1]:99") == .success)
        #expect(bench.output.text.contains(#""source":"https://e.example/a.mov?…""#))
        #expect(bench.output.text.contains(#""url":"http://[::1]:99/p/"#))
        #expect(!bench.output.text.contains("secret"))
    }
}

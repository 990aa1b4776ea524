import Foundation
import TestSupport
import Testing

@testable import takeup

@Suite("The server as a service")
struct ServeServiceTests {
    @Test("systemd hears READY once it listens, and STOPPING before it ends")
    func notified() throws {
        let bench = try TestBench()
        let manager = try NotifySocket("\(bench.folder)/notify")
        let server = try ServeBench(
            in: bench.folder, environment: ["NOTIFY_SOCKET": "\(bench.folder)/notify"])
        // Whoever waits for the word finds somebody who answers.
        #expect(manager.wait(for: "READY=1", seconds: 30) != nil)
        #expect(try server.curl(["\(server.url)/livez"]).outputText == "ok\n")
        #expect(server.stop().exitCode == 143)
        #expect(manager.wait(for: "STOPPING=1", seconds: 30) != nil)
    }

    @Test("a job is done here, and the process has no library of FFmpeg in it")
    func noMedia() throws {
        let server = try ServeBench(["--allow-path", ".", "--workers", "1"])
        try Clip.base(seconds: 1).bytes().write(to: URL(filePath: server.file("clip.mov")))
        #expect(try server.client(["submit", "clip.mov", "--wait"]).succeeded)
        let maps = try Subprocess.run("cat", ["/proc/\(server.pid)/maps"]).outputText
        #expect(maps.contains("libmicrohttpd"))
        #expect(!maps.contains("libavcodec") && !maps.contains("libavutil"))
        #expect(server.stop().exitCode == 143)
    }

    @Test("the first signal lets a response go on, the second cuts it, and the client sees that")
    func secondSignal() throws {
        let bench = try AddressBench()
        let bytes = [UInt8](repeating: 7, count: 60_000_000)
        let source = bench.serve("/clip.bin", bytes)
        let server = try ServeBench(
            ["--allow-network", "127.0.0.1", "--no-workers"], home: bench.file("home"),
            cache: bench.file("cache"), in: bench.bench.folder)
        let address = try server.client(["proxy-url", source]).requireSuccess().outputText
            .trimmingCharacters(in: .newlines)
        let reader = try Subprocess(
            "curl",
            [
                "-sS", "-m", "60", "--limit-rate", "1M", "-o", bench.file("got"), "-D",
                bench.file("head"), address,
            ])
        while !FileManager.default.fileExists(atPath: bench.file("got")) { usleep(10_000) }
        server.signal(SIGTERM)
        #expect(server.waitForOutput(containing: "a second signal gives them back"))
        // Nobody is let in any more, and the reader reads on.
        let refused = try server.curl(["-o", "/dev/null", "\(server.url)/livez"])
        #expect(refused.exitCode == 7)
        #expect(kill(reader.pid, 0) == 0)
        // Twice within 50 ms counts once.
        usleep(60_000)
        server.signal(SIGTERM)
        #expect(server.end().exitCode == 143)
        let cut = reader.wait(timeoutSeconds: 60)
        #expect(cut.exitCode == 18 || cut.exitCode == 56, "\(cut.errorText)")
    }
}

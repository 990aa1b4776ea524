import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("The server's sockets")
struct ServeSocketTests {
    /// Opens sockets as a service manager does, tells where the first is, and becomes the program.
    private static let manager = """
        import os, socket, sys
        count = int(sys.argv[1])
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
        for number, opened in enumerate(sockets):
            os.dup2(opened.fileno(), 40 + number)
        for number in range(count):
            os.dup2(40 + number, 3 + number, inheritable=True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(count))
        os.execv(sys.argv[2], sys.argv[2:])
        """

    @Test("a socket that is handed over takes the place of --listen, and no child gets it")
    func activation() throws {
        let server = try ServeBench(
            ["--listen", "127.0.0.1:1"], wrapper: "exec python3 -c '\(Self.manager)' 1")
        #expect(server.url.hasPrefix("http://127.0.0.1:") && !server.url.hasSuffix(":1"))
        #expect(try server.curl(["\(server.url)/livez"]).outputText == "ok\n")
        #expect(server.stop().exitCode == 143)
    }

    @Test("several sockets are refused with 78")
    func several() throws {
        let outcome = try Subprocess.run(
            "python3", ["-c", Self.manager, "2", BuiltProduct.path(of: "takeup"), "serve"],
            timeoutSeconds: 30)
        #expect(outcome.exitCode == 78)
        #expect(outcome.errorText.contains("2 sockets"))
    }

    @Test("what was handed to another process is left alone")
    func foreign() throws {
        #expect(try ActivationSocket.take(["LISTEN_PID": "1", "LISTEN_FDS": "1"]) == nil)
        #expect(try ActivationSocket.take(["LISTEN_FDS": "1"]) == nil)
        #expect(try ActivationSocket.take(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "0"]) == nil)
    }

    @Test("a Unix socket serves its owner, clients find it, and it goes with the server")
    func unix() throws {
        let bench = try TestBench()
        let path = "\(bench.folder)/s.sock"
        let server = try ServeBench(
            ["--listen", "unix:s.sock", "--no-workers", "--allow-host", "media.example"],
            in: bench.folder)
        #expect(server.url == "unix:\(path)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let outcome = try server.curl(["--unix-socket", path, "http://localhost/livez"])
        #expect(outcome.outputText == "ok\n")
        let submitted = try server.client(["submit", "https://example.com/a.mov", "--id", "a"])
        #expect(submitted.outputText == "a\n", "\(submitted.errorText)")
        #expect(try server.local(["jobs", "list"]).outputText.contains("a  "))
        // No player reaches the socket.
        let nameless = try server.client(["proxy-url", "https://example.com/a.mov"])
        #expect(nameless.exitCode == 64, "\(nameless.outputText)")
        #expect(nameless.errorText.contains("--public-url"), "\(nameless.errorText)")
        let json = #"{"url": "https://example.com/a.mov"}"#
        let named = try server.curl([
            "--unix-socket", path, "-H", "Content-Type: application/json", "-d", json,
            "http://media.example/v1/proxy",
        ])
        #expect(named.outputText.contains("http://media.example/p/"), "\(named.outputText)")
        #expect(server.stop().exitCode == 143)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a socket file that a killed server left is taken over")
    func stale() throws {
        let bench = try TestBench()
        let words = ["--listen", "unix:s.sock", "--no-workers"]
        let first = try ServeBench(words, in: bench.folder)
        _ = first.stop(SIGKILL)
        #expect(FileManager.default.fileExists(atPath: "\(bench.folder)/s.sock"))
        let second = try ServeBench(words, in: bench.folder)
        #expect(try second.client(["jobs", "list", "--json"]).outputText == "[]\n")
        #expect(second.stop().exitCode == 143)
    }
}

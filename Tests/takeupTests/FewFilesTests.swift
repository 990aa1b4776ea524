import Foundation
import TestSupport
import Testing

@Suite("With few open files")
struct FewFilesTests {
    @Test("a helper starts wherever its few files may be open", arguments: [64, 256, 512])
    func probe(limit: Int) throws {
        let bench = try TestBench()
        let outcome = try Subprocess.run(
            "/bin/sh",
            [
                "-c", "ulimit -n \(limit) && exec \"$@\"", "sh",
                try BuiltProduct.path(of: "takeup"), "probe", try Clip.base(seconds: 1).path,
            ],
            environment: ["TAKEUP_HOME": "\(bench.folder)/h", "TAKEUP_CACHE": "\(bench.folder)/c"],
            timeoutSeconds: 60)
        #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }

    @Test("a server without a free file blames no origin, and leaves nothing behind")
    func serve() throws {
        let bench = try AddressBench()
        let server = try ServeBench(
            ["--allow-network", "127.0.0.1", "--no-workers"], home: bench.file("home"),
            cache: bench.file("cache"), in: bench.bench.folder, wrapper: "ulimit -n 100 && exec")
        let bytes = [UInt8](repeating: 7, count: 1_000_000)
        let sources = (0..<40).map { bench.serve("/\($0).bin", bytes) }
        let signed = try sources.map { source in
            let answer = try server.ask("POST", "/v1/proxy", #"{"url": "\#(source)"}"#)
            return try #require(
                answer.body.firstMatch(of: /"url": ?"([^"]+)"/).map { String($0.1) })
        }
        // Slowly, so that as many as the server takes are open at once.
        let arguments =
            ["-Z", "--parallel-max", "20", "--limit-rate", "500k", "-w", "%{http_code}\n"]
            + signed.flatMap { ["-o", "/dev/null", $0] }
        let statuses = try server.curl(arguments).outputText.split(separator: "\n").map(String.init)
        #expect(statuses.count == 40 && statuses.contains("200"))
        #expect(Set(statuses).isSubset(of: ["200", "503"]), "\(Set(statuses))")
        let uploads = [
            "-Z", "--parallel-max", "20", "-w", "%{http_code}\n", "--data-binary",
            "@\(bench.file("upload.bin"))",
        ]
        try Data(bytes).write(to: URL(filePath: bench.file("upload.bin")))
        var made = 0
        for _ in 0..<3 {
            let names = (0..<20).flatMap { _ in ["-o", "/dev/null", "\(server.url)/v1/uploads"] }
            let codes = try server.curl(
                ["-H", "Content-Type: application/octet-stream"] + uploads + names
            ).outputText.split(separator: "\n")
            made += codes.count { $0 == "201" }
        }
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: "\(bench.file("home"))/uploads")
        #expect(folders.count == made)
        // All is well again once nobody asks for so much.
        let last = try server.curl(["-o", "/dev/null", "-w", "%{http_code}", signed[0]])
        #expect(last.outputText == "200")
        #expect(server.stop().exitCode == 143)
    }
}

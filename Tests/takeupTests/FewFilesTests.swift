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

    /// Runs the program where it may have so many files open.
    private func run(
        _ arguments: String, _ limit: Int, in folder: String
    ) throws -> Subprocess.Outcome {
        try Subprocess.run(
            "/bin/sh",
            [
                "-c", "cd \(folder) && ulimit -n \(limit) && exec \"$0\" \(arguments)",
                try BuiltProduct.path(of: "takeup"),
            ],
            environment: ["TAKEUP_HOME": "\(folder)/h", "TAKEUP_CACHE": "\(folder)/c"],
            timeoutSeconds: 120)
    }

    @Test("a timeline of more sources than files may be open is exported, at once and as a job")
    func manySources() throws {
        let bench = try TestBench()
        let clip = try Clip.make(
            "short.mp4",
            Clip.picture(size: "64x64", rate: "25", seconds: 0.2) + Clip.tone(seconds: 0.2) + [
                "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
            ])
        let bytes = try clip.bytes()
        let (pictures, sounds) = (150, 50)
        for number in 0..<(pictures + sounds) {
            try bytes.write(to: URL(filePath: "\(bench.folder)/\(number).mp4"))
        }
        func segments(_ numbers: Range<Int>) -> String {
            numbers.map { #"{"source": "\#($0).mp4", "duration": "0.2"}"# }
                .joined(separator: ", ")
        }
        try bench.write(
            """
            {"version": 1, "tracks": [{"segments": [\(segments(0..<pictures))]},
                {"media": "audio", "segments": [\(segments(pictures..<(pictures + sounds)))]}]}
            """, to: "many.takeup.json")
        let preset = "--preset low --set video.speed=ultrafast"
        let exported = try run(
            "export many.takeup.json -o out.mp4 \(preset)", 128, in: bench.folder)
        #expect(exported.exitCode == 0, "\(exported.errorText)")
        try bench.write(
            #"{"jobs": [{"id": "many", "source": "many.takeup.json", "output": "list/"}]}"#,
            to: "list.json")
        let batch = try run("batch list.json \(preset)", 128, in: bench.folder)
        #expect(batch.exitCode == 0, "\(batch.errorText)")
        for path in ["out.mp4", "list/many.mp4"] {
            let duration = try MediaTools.probe("\(bench.folder)/\(path)").format.duration ?? 0
            #expect(abs(duration - 0.2 * Double(pictures)) < 0.05, "\(path) lasts \(duration)")
            #expect(try MediaTools.decodeErrors("\(bench.folder)/\(path)") == [])
        }
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

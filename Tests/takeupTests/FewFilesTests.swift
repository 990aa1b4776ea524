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
}

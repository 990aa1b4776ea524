import Foundation
import TestSupport
import Testing

@Suite("Cancelled exports")
struct CancelledExportTests {
    @Test("a signal ends the command soon and leaves nothing", arguments: [SIGINT, SIGTERM])
    func endsSoon(signal: Int32) async throws {
        let long = try Clip.make(
            "long.mkv",
            Clip.picture(size: "320x240", seconds: 40) + Clip.tone(seconds: 40)
                + ["-c:v", "mpeg4", "-c:a", "flac"])
        let directory = try TemporaryDirectory()
        var command = try Subprocess(
            try BuiltProduct.path(of: "takeup"),
            [
                "export", long.path, "-o", directory.file("out.mp4"), "--copy", "never", "--json",
            ])
        let isEncoding = command.waitForOutput(containing: #""phase":"encode""#)
        #expect(isEncoding)
        command.signal(signal)
        // `make chaos` measures how soon it ends; here others may hold the cores.
        let outcome = command.wait(timeoutSeconds: 120)
        #expect(outcome.exitCode == 128 + signal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }
}

import Foundation
import TakeupExport
import TakeupFiles
import TestSupport
import Testing

@Suite("Export between open files", .tags(.media))
struct OpenFileTests {
    private func opened(_ path: String, _ flags: Int32 = O_RDONLY) throws -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        return try #require(descriptor >= 0 ? descriptor : nil)
    }

    @Test(
        "writes what an export by paths writes: encoded, copied, in two passes",
        arguments: [("medium", nil), ("passthrough", nil), ("medium", 150_000)]
            as [(String, Int64?)]
    )
    func sameBytes(preset: String, limit: Int64?) async throws {
        let clip = try Clip.base(seconds: 2)
        let trial = try ExportTrial()
        var settings = ExportTrial.settings()
        settings.fileLengthLimit = limit
        let plain = try await trial.export(
            [clip.path], preset: ExportTrial.preset(preset), settings: settings)

        let source = try opened(clip.path)
        let asset = try Asset(descriptor: source, name: "clip")
        close(source)
        let output = try opened(trial.file("nameless"), O_RDWR | O_CREAT)
        defer { close(output) }
        try #require(unlink(trial.file("nameless")) == 0)
        // What an earlier try left is not part of the result.
        try #require(ftruncate(output, 1 << 24) == 0)
        let session = ExportSession(
            asset: asset, preset: try ExportTrial.preset(preset), settings: settings)
        let report = try await session.render { _ in
            RenderedFiles(output: OpenFile(output, name: "result"))
        }
        #expect(report.output == "result")
        #expect(report.sha256 == plain.report.sha256)
        #expect(report.bytes == plain.report.bytes)
        #expect(asset.bytesRead > 0)
        #expect(try trial.names() == ["out.mp4"])
    }

    @Test("a folder is no source")
    func refusals() async throws {
        let trial = try ExportTrial()
        let folder = try opened(trial.file("."))
        defer { close(folder) }
        let error = #expect(throws: ExportError.self) {
            try Asset(descriptor: folder, name: "folder")
        }
        #expect(error == .folder("folder"))
    }
}

import TakeupKit
import TestSupport
import Testing

@Suite("The library's example")
struct LibraryExampleTests {
    @Test("exports with AVFoundation's words")
    func runsExample() async throws {
        let directory = try TemporaryDirectory()
        let clip = try Clip.base()
        let output = directory.file("clip.mp4")

        // The README's lines, with this clip and this output.
        let asset = Asset(path: clip.path)
        let preset = try ExportPreset.named("1280x720")
        var settings = ExportSettings()
        settings.timeRange = TimeRange(start: 0.5, duration: 1)
        let session = ExportSession(asset: asset, preset: preset, settings: settings)
        let watcher = Task { await session.states().reduce(into: []) { $0.append($1) } }
        let report = try await session.export(to: output)

        let (duration, isExportable) = try await asset.load(.duration, .isExportable)
        #expect(isExportable && duration > 1.9)
        #expect(await watcher.value.last == .completed(report))
        #expect(report.duration > 0.95 && report.duration < 1.05)
        #expect(try MediaTools.frameCount(output) == 30)
        #expect(try MediaTools.decodeErrors(output) == [])
    }
}

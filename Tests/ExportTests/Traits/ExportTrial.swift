import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

/// Exports into a directory of its own, which goes with the trial.
final class ExportTrial {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The path of a file in the trial's directory.
    func file(_ name: String) -> String { directory.file(name) }

    /// All that lies in the directory, hidden files too.
    func names() throws -> [String] { try directory.names() }

    /// A quick preset that re-encodes well enough to tell pictures apart.
    static func preset(_ name: String = "medium") throws -> ExportPreset {
        var preset = try ExportPreset.named(name)
        preset.video?.speed = "ultrafast"
        return preset
    }

    static func settings(
        from start: Double? = nil, to end: Double? = nil,
        onTruncated: ExportSettings.OnTruncated = .fail
    ) -> ExportSettings {
        var settings = ExportSettings()
        settings.onTruncated = onTruncated
        if let start {
            let first = MediaTime(seconds: start)
            settings.timeRange =
                end.map { TimeRange(start: first, end: MediaTime(seconds: $0)) }
                ?? TimeRange(start: first)
        }
        return settings
    }

    /// Exports, and requires a file in which FFmpeg finds no fault.
    func export(
        _ paths: [String], preset: ExportPreset? = nil, settings: ExportSettings = .init(),
        to name: String = "out.mp4"
    ) async throws -> (path: String, report: ExportReport) {
        let session = ExportSession(
            joining: paths.map { Asset(path: $0) }, preset: try preset ?? Self.preset(),
            settings: settings)
        let report = try await session.export(to: file(name))
        #expect(try MediaTools.decodeErrors(report.output) == [])
        return (report.output, report)
    }

    /// Exports what must be refused.
    ///
    /// - Returns: Why it was; nil, and a failed test, when a file came out or something was left behind.
    func refusal(
        _ paths: [String], preset: ExportPreset? = nil, settings: ExportSettings = .init()
    ) async throws -> ExportError? {
        let before = try names()
        let session = ExportSession(
            joining: paths.map { Asset(path: $0) }, preset: try preset ?? Self.preset(),
            settings: settings)
        let error = await #expect(throws: ExportError.self) {
            try await session.export(to: self.file("out.mp4"))
        }
        #expect(try names() == before, "something was left behind")
        return error
    }
}

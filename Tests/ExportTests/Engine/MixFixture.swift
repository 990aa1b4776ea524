import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

/// Sources of mixes, and exports of them.
enum MixFixture {
    static func tone(
        _ name: String, _ frequency: Int, _ seconds: Double, level: Double = 0.25
    ) throws -> String {
        try sound(name, "\(level)*sin(2*PI*\(frequency)*t)", seconds)
    }

    /// Sound in one channel, which no encoder changes.
    static func sound(
        _ name: String, _ expression: String, _ seconds: Double, rate: Int = 48_000
    ) throws -> String {
        try Clip.make(
            name,
            ["-f", "lavfi", "-i", "aevalsrc='\(expression)':s=\(rate):d=\(seconds)"]
                + ["-c:a", "pcm_f32le"]
        ).path
    }

    static func film(_ name: String = "film.mp4", seconds: Double = 2) throws -> String {
        try Clip.make(
            name,
            NumberedPictures.source(rate: "25", seconds: seconds, first: 1)
                + Clip.tone(frequency: 440, seconds: seconds)
                + ["-c:v", "libx264", "-g", "25", "-bf", "3", "-c:a", "aac"]
        ).path
    }

    static func part(
        _ source: String, _ start: MediaTime, _ duration: MediaTime, _ speed: Ratio? = nil
    ) -> Composition.Segment {
        .init(source: source, range: TimeRange(start: start, duration: duration), speed: speed)
    }

    static func export(
        _ tracks: [Composition.Track], in trial: ExportTrial, preset: ExportPreset? = nil,
        settings: ExportSettings = ExportSettings(), to name: String = "out.mp4"
    ) async throws -> ExportReport {
        var settings = settings
        settings.verification = .full
        let request = ExportRequest(
            Composition(tracks: tracks), preset: try preset ?? ExportTrial.preset(),
            settings: settings)
        let report = try await ExportSession(request).export(to: trial.file(name))
        #expect(try MediaTools.decodeErrors(report.output) == [])
        #expect(report.loss == nil)
        return report
    }
}

import TakeupExport
import TestSupport
import Testing

/// One clip exported into a directory of its own, which goes with the object.
final class TraitExport {
    let path: String
    let report: ExportReport
    let plan: ExportPlan
    private let directory: TemporaryDirectory

    /// Exports a clip.
    init(
        _ clip: Clip, _ preset: ExportPreset, copy: ExportSettings.CopyPolicy = .never
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("out.\(preset.container.rawValue)")
        var settings = ExportSettings()
        settings.copy = copy
        let asset = Asset(path: clip.path)
        let session = ExportSession(asset: asset, preset: preset, settings: settings)
        let plan = try await session.plan()
        let report = try await session.export(to: path)
        self.plan = plan
        self.report = report
        self.path = path
        self.directory = directory
    }

    /// The output's first video stream.
    func video() throws -> ProbedStream {
        try #require(try MediaTools.probe(path).streams("video").first)
    }

    /// The output's first audio stream.
    func audio() throws -> ProbedStream {
        try #require(try MediaTools.probe(path).streams("audio").first)
    }

    /// Whether the plan names a subject among its decisions.
    func decides(_ subject: String) -> Bool {
        plan.decisions.contains { $0.subject == subject }
    }

    /// Expects what holds of every output: no decode error, rising times from 0, square and upright
    /// pixels, and all four colour tags known to `ffprobe` and to MediaInfo.
    func expectSound() throws {
        #expect(try MediaTools.decodeErrors(path).isEmpty)
        let file = try MediaTools.probe(path)
        #expect(abs(file.format.start ?? 9) <= 0.001)
        for stream in file.streams where stream.type == "video" || stream.type == "audio" {
            let times = try Times.ticks(path, stream: "\(stream.index)")
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
        guard let video = file.streams("video").first else { return }
        #expect(video.sampleAspectRatio == "1:1" && video.rotation == 0)
        #expect(video.sideData("Display Matrix") == nil)
        let tags = [video.colorRange, video.colorSpace, video.colorTransfer, video.colorPrimaries]
        #expect(tags.allSatisfy { $0 != nil && $0 != "unknown" }, "\(tags)")
        let facts = try #require(try MediaTools.mediaInfo(path).first { $0.type == "Video" })
        for name in ["matrix_coefficients", "transfer_characteristics", "colour_primaries"] {
            #expect(facts[name] != nil, "MediaInfo finds no \(name)")
        }
    }
}

extension ExportPreset {
    /// A shipped preset whose encoder hurries.
    static func hasty(_ name: String, crf: Double? = nil) throws -> ExportPreset {
        var preset = try ExportPreset.named(name)
        preset.video?.speed = "ultrafast"
        preset.video?.maxBitRate = nil
        if let crf { preset.video?.crf = crf }
        return preset
    }

    /// Sound alone, with up to so many channels.
    static func sound(channels: Int) throws -> ExportPreset {
        var preset = try ExportPreset.named("m4a")
        preset.audio?.maxChannels = channels
        return preset
    }
}

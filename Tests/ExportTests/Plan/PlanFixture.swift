import TakeupFFmpeg
import TakeupTimeline
import Testing

@testable import TakeupExport

/// Assets and tracks as a test wants them, without any file.
enum PlanFixture {
    /// An upright, progressive 1920×1080 H.264 track of ten seconds at 25 frames a second.
    static func video(
        index: Int = 0, _ change: (inout AssetTrack, inout VideoTraits) -> Void = { _, _ in }
    ) -> AssetTrack {
        var traits = VideoTraits(
            width: 1920, height: 1080, sampleAspect: Ratio(1, 1), orientation: .upright,
            pixelFormat: "yuv420p", bitDepth: 8, hasAlpha: false,
            color: ColorTags(
                primaries: "bt709", transfer: "bt709", matrix: "bt709", range: "tv",
                chromaLocation: "left"),
            hdr: nil, dolbyVisionProfile: nil, scan: .progressive, isScanJudged: false,
            averageFrameRate: Ratio(25, 1), nominalFrameRate: Ratio(25, 1),
            frameRateMode: .constant, reorderDelay: 2)
        var track = self.track(index: index, type: .video, codec: "h264")
        track.bitRate = 2_000_000
        track.timeBase = Ratio(1, 12_800)
        change(&track, &traits)
        track.video = traits
        return track
    }

    /// Stereo AAC-LC at 48 kHz and 128 kb/s, of ten seconds.
    static func audio(
        index: Int = 1, _ change: (inout AssetTrack, inout AudioTraits) -> Void = { _, _ in }
    ) -> AssetTrack {
        var traits = AudioTraits(
            sampleRate: 48_000, channels: 2, channelLayout: "stereo", sampleFormat: "fltp")
        var track = self.track(index: index, type: .audio, codec: "aac")
        track.profile = "LC"
        track.bitRate = 128_000
        track.timeBase = Ratio(1, 48_000)
        change(&track, &traits)
        track.audio = traits
        return track
    }

    static func track(index: Int, type: MediaType, codec: String) -> AssetTrack {
        AssetTrack(
            index: index, type: type, codec: codec, codecTag: nil, profile: nil, isDecodable: true,
            isProtected: false, startTime: 0, duration: 10, declaredSamples: nil, bitRate: nil,
            language: nil, title: nil, isDefault: index < 2, isForced: false,
            timeBase: Ratio(1, 1000), video: nil, audio: nil)
    }

    /// A whole MP4 of ten seconds.
    static func asset(
        _ tracks: [AssetTrack], name: String = "clip.mp4",
        _ change: (inout InspectedAsset) -> Void = { _ in }
    ) -> InspectedAsset {
        let description = AssetDescription(
            name: name, container: "mov,mp4,m4a,3gp,3g2,mj2", bytes: 1_000_000, duration: 10,
            startTime: 0, tracks: tracks, chapters: [], metadata: [:], loss: nil, warnings: [],
            notPlayableReason: nil, notExportableReason: nil, protectionReason: nil)
        var asset = InspectedAsset(
            description: description, streams: [], timeline: .straight,
            expectedPackets: Dictionary(uniqueKeysWithValues: tracks.map { ($0.index, 250) }),
            undecodableHead: [:], hiddenPackets: [:],
            lacksTimestamps: false,
            hasPresentationTimes: Dictionary(
                uniqueKeysWithValues: tracks.map { ($0.index, true) }),
            isSeekable: true, firstFrames: [:])
        for track in tracks {
            asset.trackBytes[track.index] = track.bitRate.map { Int64($0) / 8 * 10 }
        }
        change(&asset)
        return asset
    }

    /// Ten whole seconds of track 0 of the first asset.
    static func segment(
        track: Int? = 0, start: MediaTime = 0, duration: MediaTime = 10, target: MediaTime = 0,
        isWhole: Bool = true, mustFill: Bool = false, speed: Ratio? = nil
    ) -> TrackSegment {
        TrackSegment(
            source: 0, track: track, sourceStart: start, duration: duration, targetStart: target,
            isWhole: isWhole, mustFill: mustFill, reachesEnd: isWhole, speed: speed)
    }

    /// Empty time.
    static func empty(_ duration: MediaTime, at target: MediaTime) -> TrackSegment {
        TrackSegment(
            source: 0, sourceStart: 0, duration: duration, targetStart: target, isWhole: false,
            mustFill: false, reachesEnd: false, isEmpty: true)
    }

    static func plan(
        _ assets: [InspectedAsset], preset: String = "1280x720",
        settings: ExportSettings = ExportSettings(), clips: [Clip]? = nil,
        _ change: (inout ExportPreset) -> Void = { _ in }
    ) throws -> ExportPlan {
        var preset = try ExportPreset.named(preset)
        change(&preset)
        var planner = ExportPlanner(
            assets: assets,
            clips: clips ?? assets.indices.map { Clip(videoSource: $0, audioSource: $0) },
            preset: preset, settings: settings)
        return try planner.plan()
    }

    /// How pictures are made anew: 1280×720 BT.709, 8 bit.
    static func encoding(_ change: (inout VideoEncoding) -> Void = { _ in }) -> VideoEncoding {
        var encoding = VideoEncoding(
            encoder: "libx264", width: 1280, height: 720, fit: .fit, pixelFormat: "yuv420p",
            color: ColorTags(
                primaries: "bt709", transfer: "bt709", matrix: "bt709", range: "tv",
                chromaLocation: "left"),
            hdr: nil, isToneMapped: false, timing: timing(), frameRate: Ratio(25, 1),
            keyFrameInterval: 100, threads: 0)
        change(&encoding)
        return encoding
    }

    static func timing(
        timescale: Int64 = 12_800, grid: Ratio? = nil, constant: Ratio? = nil, most: Double? = nil
    ) -> FrameTimingPlan {
        FrameTimingPlan(
            timescale: timescale, grid: grid, constantRate: constant, maximumRate: most)
    }
}

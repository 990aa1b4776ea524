import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("VideoCopyRules and AudioCopyRules")
struct CopyRulesTests {
    private func video(
        policy: ExportSettings.CopyPolicy = .auto, salvages: Bool = false, limit: Int64? = nil,
        segments: [TrackSegment] = [PlanFixture.segment()],
        preset: (inout VideoSettings) -> Void = { _ in },
        asset: (inout InspectedAsset) -> Void = { _ in },
        track: (inout AssetTrack, inout VideoTraits) -> Void = { _, _ in }
    ) -> String? {
        var settings = VideoSettings(codec: .h264)
        (settings.maxWidth, settings.maxHeight) = (1920, 1080)
        preset(&settings)
        let track = PlanFixture.video(track)
        return VideoCopyRules(
            settings: settings, policy: policy, salvages: salvages, limit: limit
        )
        .obstacle(segments, track, PlanFixture.asset([track], asset))?.text
    }

    @Test("a track that meets the preset is copied")
    func copied() {
        #expect(video() == nil)
        #expect(video(preset: { $0.maxFrameRate = 25 }) == nil)
    }

    @Test("what a copy cannot do is a reason, whatever the preset")
    func technical() {
        for codec in [VideoCodec.h264, .copy] {
            let preset: (inout VideoSettings) -> Void = { $0.codec = codec }
            #expect(
                video(preset: preset, track: { track, _ in track.codec = "theora" })?.contains(
                    "theora") == true)
            #expect(video(preset: preset, asset: { $0.hasPresentationTimes = [:] }) != nil)
            #expect(
                video(preset: preset, asset: { $0.timeline.offsets = [0, 5] })?.contains("jumps")
                    == true)
            let loss = LossReport(lostSeconds: 1, details: [], isTruncated: true)
            // What a copy salvages is told by the report.
            let isRefused = video(preset: preset, asset: { $0.description.loss = loss }) != nil
            #expect(isRefused == (codec == .h264))
            let two = [PlanFixture.segment(), PlanFixture.segment(target: 10)]
            #expect(video(segments: two, preset: preset)?.contains("joined") == true)
        }
    }

    @Test("what was asked for is a reason, but not for a preset that copies")
    func requested() {
        let cut = [PlanFixture.segment(start: 1, duration: 2, isWhole: false)]
        #expect(video(policy: .never) != nil && video(limit: 100_000) != nil)
        #expect(video(salvages: true) != nil && audio(salvages: true) != nil)
        #expect(video(asset: { $0.hiddenPackets = [0: 3] })?.contains("edit list") == true)
        #expect(video(segments: cut) != nil)
        let copies: (inout VideoSettings) -> Void = { $0.codec = .copy }
        #expect(video(policy: .never, preset: copies) == nil)
        #expect(video(limit: 100_000, preset: copies) == nil)
        #expect(video(segments: cut, preset: copies) == nil)
    }

    @Test("every trait beyond the preset is a reason of its own")
    func traits() {
        let changes: [(inout AssetTrack, inout VideoTraits) -> Void] = [
            { track, _ in track.codec = "hevc" },
            { _, traits in traits.orientation = Orientation(clockwiseDegrees: 90, isMirrored: false)
            },
            { _, traits in traits.sampleAspect = Ratio(4, 3) },
            { _, traits in traits.width = 3840 },
            { _, traits in traits.height = 1079 },
            { _, traits in traits.pixelFormat = "yuv422p" },
            { _, traits in traits.pixelFormat = "yuv420p10le" },
            { _, traits in traits.color.range = "pc" },
            { _, traits in traits.color.transfer = "smpte2084" },
            { _, traits in traits.dolbyVisionProfile = 8 },
            { _, traits in traits.scan = .topFieldFirst },
        ]
        let reasons = changes.map { video(track: $0) }
        #expect(!reasons.contains(nil))
        #expect(Set(reasons).count == reasons.count)
        #expect(video(preset: { $0.maxFrameRate = 24 }) != nil)
        #expect(video(preset: { $0.frameRateMode = .constant }) != nil)
        #expect(video(preset: { $0.maxBitRate = 1_000_000 }) != nil)
    }

    private func audio(
        policy: ExportSettings.CopyPolicy = .auto, salvages: Bool = false,
        segments: [TrackSegment] = [PlanFixture.segment(track: 1)], mayTry: Bool = false,
        container: ContainerFormat = .mp4,
        preset: (inout AudioSettings) -> Void = { _ in },
        asset: (inout InspectedAsset) -> Void = { _ in },
        track: (inout AssetTrack, inout AudioTraits) -> Void = { _, _ in }
    ) -> String? {
        var settings = AudioSettings(codec: .aac)
        preset(&settings)
        let track = PlanFixture.audio(track)
        return AudioCopyRules(
            settings: settings, container: container, policy: policy, salvages: salvages,
            mayTry: mayTry
        ).obstacle(segments, track, PlanFixture.asset([track], asset))?.text
    }

    @Test("sound that meets the preset is copied, a little more bit rate than asked for too")
    func sound() {
        #expect(audio() == nil)
        #expect(audio(track: { track, _ in track.bitRate = 147_000 }) == nil)
        #expect(audio(track: { track, _ in track.bitRate = 148_000 }) != nil)
    }

    @Test("an M4A takes fewer codecs than an MP4, and says which name helps")
    func container() {
        let reasons = ["aac", "alac", "ac3", "flac", "vorbis"].map { codec in
            audio(
                container: .m4a, preset: { $0.codec = .copy },
                track: { track, _ in track.codec = codec })
        }
        #expect(
            reasons == [
                nil, nil, nil,
                "flac audio does not go into M4A; a name that ends in .mp4 takes it",
                "vorbis audio does not go into M4A",
            ])
    }

    @Test("sound that may have gaps is copied beside copied pictures, where the copy shows them")
    func unknownGaps() {
        let unknown: (inout InspectedAsset) -> Void = { $0.expectedPackets = [:] }
        #expect(audio(asset: unknown)?.contains("not known") == true)
        #expect(audio(mayTry: true, asset: unknown) == nil)
        let broken: (inout InspectedAsset) -> Void = {
            ($0.expectedPackets, $0.isContinuous) = ([:], [1: false])
        }
        #expect(audio(mayTry: true, asset: broken)?.contains("gaps") == true)
    }

    @Test("every trait of sound beyond the preset is a reason")
    func soundTraits() {
        let changes: [(inout AssetTrack, inout AudioTraits) -> Void] = [
            { track, _ in track.codec = "mp3" }, { track, _ in track.profile = "HE-AAC" },
            { track, _ in track.codec = "vorbis" }, { track, _ in track.startTime = 0.5 },
            { track, _ in track.bitRate = nil }, { _, traits in traits.channels = 6 },
            { _, traits in traits.sampleRate = 96_000 },
            { _, traits in traits.sampleRate = 16_000 },
        ]
        #expect(!changes.map { audio(track: $0) }.contains(nil))
        #expect(audio(asset: { $0.description.container = "mpegts" }) != nil)
        #expect(audio(asset: { $0.expectedPackets = [:] }) != nil)
        #expect(audio(asset: { $0.timeline.offsets = [0, 1] }) != nil)
        #expect(audio(policy: .never) != nil)
        let cut = [PlanFixture.segment(track: 1, duration: 2, isWhole: false)]
        #expect(audio(segments: cut) != nil)
        #expect(audio(segments: cut, preset: { $0.codec = .copy }) == nil)
        #expect(
            audio(preset: { $0.codec = .copy }, track: { track, _ in track.codec = "ac3" }) == nil)
        let side: (inout AssetTrack, inout AudioTraits) -> Void = {
            ($1.channels, $1.channelLayout) = (6, "5.1(side)")
            $0.bitRate = 128_000
        }
        #expect(audio(preset: { $0.maxChannels = 6 }, track: side)?.contains("5.1(side)") == true)
    }
}

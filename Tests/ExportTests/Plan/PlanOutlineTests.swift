import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("The outline of a plan")
struct PlanOutlineTests {
    @Test("says of a copied and an encoded track all that a program asks for")
    func tracks() throws {
        let source = PlanFixture.asset([
            PlanFixture.video { _, traits in traits.color.transfer = "smpte2084" },
            PlanFixture.audio(), PlanFixture.audio(index: 2),
        ])
        let plan = try PlanFixture.plan([source], preset: "1280x720")
        let video = try #require(plan.tracks.first)
        #expect(video.type == .video && !video.isCopied && video.codec == "h264")
        #expect(video.width == 1280 && video.height == 720 && video.frameRate == Ratio(25, 1))
        #expect(video.dynamicRange == .sdr && video.reason.code == .size)
        #expect(video.origins == [TrackOrigin(source: 0, track: 0)])
        let audio = plan.tracks[1]
        #expect(plan.tracks.count == 2 && audio.isCopied && audio.codec == "aac")
        #expect(audio.channels == 2 && audio.sampleRate == 48_000 && audio.bitRate == 128_000)
        #expect(audio.reason.code == .meetsPreset)
        #expect(plan.losses == [.resolution, .highDynamicRange, .audioTracks])
        #expect(plan.dropped.map(\.origin.track) == [2])
        #expect(plan.dropped.first?.reason.code == .oneTrackKept)
        let kept = try PlanFixture.plan([source], preset: "hevc-highest")
        #expect(kept.tracks.first?.dynamicRange == .pq && kept.losses.isEmpty)
    }

    @Test("knows each loss")
    func losses() throws {
        func losses(
            _ preset: String, _ change: (inout VideoTraits) -> Void = { _ in }
        ) throws -> [PlanLoss] {
            let video = PlanFixture.video { _, traits in
                (traits.width, traits.height) = (640, 360)
                change(&traits)
            }
            let sound = PlanFixture.audio { _, traits in
                (traits.channels, traits.channelLayout) = (6, "5.1")
            }
            return try PlanFixture.plan([PlanFixture.asset([video, sound])], preset: preset).losses
        }
        #expect(try losses("1280x720") == [.channels])
        #expect(try losses("highest").isEmpty)
        #expect(try losses("m4a") == [.channels, .video])
        #expect(
            try losses("highest") { ($0.hasAlpha, $0.pixelFormat) = (true, "yuva420p") }
                == [.alpha])
        #expect(try losses("highest") { $0.dolbyVisionProfile = 8 } == [.dolbyVision])
        #expect(
            try losses("proxy") {
                ($0.averageFrameRate, $0.nominalFrameRate) = (Ratio(60, 1), Ratio(60, 1))
            }
                == [.frames, .channels])
        #expect(try losses("passthrough").isEmpty)
    }

    @Test("expects of copies what was measured, of the rest an estimate, and never beyond a limit")
    func size() throws {
        let source = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()])
        let copied = try #require(
            try PlanFixture.plan([source], preset: "passthrough").expectedSize)
        // Ten seconds of 2,128 kb/s, and an index of 250 pictures and 469 blocks of sound.
        #expect(copied.isMeasured && (2_660_000...2_675_000).contains(copied.bytes))
        let plan = try PlanFixture.plan([source], preset: "1280x720")
        #expect(plan.expectedSize?.isMeasured == false)
        // The sound that is copied, and pictures of 12 bytes of which half may be missing.
        #expect(plan.leastBytes == 144_000 + 250 * 12 / 2)
        let limited = try PlanFixture.plan([source], preset: "1280x720") { $0.sizeLimit = 50_000 }
        #expect(limited.expectedSize?.bytes == 50_000)
        // Then the sound may be encoded, into 4 bytes a block.
        #expect(limited.leastBytes == 10 * 48_000 * 4 / 1024 + 250 * 12 / 2)
        let unknown = PlanFixture.asset([PlanFixture.video { track, _ in track.bitRate = nil }])
        #expect(
            try PlanFixture.plan([unknown], preset: "passthrough").expectedSize?.isMeasured
                == false)
        #expect(try PlanFixture.plan([unknown], preset: "low").expectedSize != nil)
        let endless = PlanFixture.asset([PlanFixture.video { track, _ in track.bitRate = nil }]) {
            $0.description.bytes = nil
        }
        #expect(try PlanFixture.plan([endless], preset: "passthrough").expectedSize == nil)
    }

    @Test("a bit rate that is only claimed is a guess, and comes to no more than the source")
    func claimed() throws {
        let boast = PlanFixture.asset([PlanFixture.video { track, _ in track.bitRate = .max / 2 }])
        {
            $0.trackBytes = [:]
        }
        let plan = try PlanFixture.plan([boast], preset: "passthrough")
        let size = try #require(plan.expectedSize)
        #expect(!size.isMeasured && (1_000_000...1_010_000).contains(size.bytes))
        #expect(plan.leastBytes == 0 && plan.estimatedBytes == size.bytes)
        var settings = ExportSettings()
        settings.timeRange = TimeRange(start: 2, duration: 5)
        let half = PlanFixture.asset([PlanFixture.video()])
        let cut = try PlanFixture.plan([half], preset: "passthrough", settings: settings)
        #expect(cut.expectedSize?.isMeasured == false)
        #expect((1_250_000...1_260_000).contains(try #require(cut.expectedSize).bytes))
    }

    @Test("room is kept for more than is expected of encoded pictures")
    func generous() throws {
        let plan = try PlanFixture.plan([PlanFixture.asset([PlanFixture.video()])])
        let (most, bytes) = (
            try #require(plan.estimatedBytes), try #require(plan.expectedSize).bytes
        )
        #expect(most > bytes)
    }
}

import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Plans of several tracks")
struct MixPlanTests {
    /// Ten seconds with pictures and sound, whose sound begins later.
    private static let film = asset("film.mov", [PlanFixture.video(), PlanFixture.audio()])
    private static let music = asset("music.mp3", [PlanFixture.audio(index: 0)])
    private static let mute = asset("mute.mov", [PlanFixture.video()])

    private static func asset(_ name: String, _ tracks: [AssetTrack]) -> InspectedAsset {
        PlanFixture.asset(tracks, name: name) { asset in
            for track in tracks {
                asset.longestSteps[track.index] = MediaTime(
                    value: 1, timescale: track.type == .video ? 25 : 48)
            }
        }
    }

    private func plan(
        _ tracks: [Composition.Track], preset: String = "1920x1080", range: TimeRange? = nil,
        _ change: (inout ExportPreset) -> Void = { _ in }
    ) throws -> ExportPlan {
        var settings = ExportSettings()
        settings.timeRange = range
        let composition = Composition(tracks: tracks)
        #expect(composition.fault == nil)
        let assets = composition.sources.map {
            ["film": Self.film, "mute": Self.mute][$0] ?? Self.music
        }
        var preset = try ExportPreset.named(preset)
        change(&preset)
        var planner = ExportPlanner(
            assets: assets, clips: Clip.clips(of: composition),
            volumes: Clip.volumes(of: composition), preset: preset, settings: settings)
        return try planner.plan()
    }

    private func part(
        _ source: String, _ start: MediaTime, _ duration: MediaTime
    ) -> Composition.Segment {
        .init(source: source, range: TimeRange(start: start, duration: duration))
    }

    private func message(_ body: () throws -> ExportPlan) -> String {
        let error = #expect(throws: ExportError.self) { _ = try body() }
        return error.map(String.init(describing:)) ?? ""
    }

    @Test("tracks of sound are mixed, each as long as the longest, and that is told")
    func mix() throws {
        let volume = Volume(0.25, ramps: [.init(start: 1, duration: 2, from: 0, to: 0.25)])
        let plan = try plan([
            .init(.all, ["film"]),
            .init(.audio, segments: [.empty(1.5), part("music", 2, 4)], volume: volume),
        ])
        #expect(plan.duration == 10 && plan.audio.count == 1)
        let audio = plan.audio[0]
        let mix = try #require(audio.mix)
        #expect(mix.map { $0.segments.map(\.duration) } == [[10], [1.5, 4, 4.5]])
        #expect(mix[1].segments.map(\.targetStart) == [0, 1.5, 5.5])
        #expect(mix[1].segments.map(\.track) == [nil, 0, nil])
        #expect(mix.flatMap(\.segments).allSatisfy { $0.mustFill && !$0.isOpenEnded })
        #expect(mix.map(\.volume) == [Volume(), volume])
        #expect(audio.reason.code == .mixed && audio.mode != .copy)
        #expect(audio.promise?.start == 0 && audio.promise?.end == 10)
        #expect(audio.promise?.latestEnd == 10)
        #expect("\(plan)".contains("mix: track 1 at 1.0, track 2 at 0.25, 1 ramp"))
        #expect(!"\(plan)".contains("empty time") && "\(Volume(0.2511886))" == "0.251")
        // The pictures of the untouched source are as without music.
        #expect(plan.video?.segments.map(\.isWhole) == [true])
    }

    @Test("pictures that end first are followed by black, but not for the length of a picture")
    func black() throws {
        let long = try plan([.init(.all, ["film"]), .init(.audio, ["music", "music"])])
        #expect(long.duration == 20)
        #expect(long.video?.segments.map(\.isEmpty) == [false, true])
        #expect(long.video?.promise?.end == 20 && long.audio[0].promise?.end == 20)
        #expect("\(long)".contains("black for the last 10.000 s"))
        let slightly = try plan([
            .init(.all, ["film"]), .init(.audio, segments: [.empty(0.02), .init(source: "music")]),
        ])
        #expect(slightly.video?.segments.map(\.isEmpty) == [false])
        #expect(slightly.duration == 10.02 && slightly.audio[0].promise?.end == 10.02)
    }

    @Test("cuts of pictures and sound are independent")
    func independent() throws {
        let plan = try plan([
            .init(.video, segments: [part("film", 1, 4), .empty(1), part("film", 6, 3)]),
            .init(.audio, segments: [part("music", 0, 2), part("film", 4, 6)]),
        ])
        #expect(plan.duration == 8)
        #expect(plan.video?.segments.map(\.duration) == [4, 1, 3])
        #expect(plan.video?.segments.map(\.source) == [0, 0, 1])
        #expect(plan.audio.map { $0.segments.map(\.source) } == [[2, 3]])
        #expect(plan.audio[0].segments.map(\.sourceStart) == [0, 4] && plan.audio[0].mix == nil)
    }

    @Test("the pictures of one untouched source are still copied")
    func copied() throws {
        let tracks: [Composition.Track] = [
            .init(.video, ["film"]), .init(.audio, segments: [part("music", 2, 8)]),
        ]
        #expect(try plan(tracks).video?.mode == .copy)
        #expect(try plan(tracks).audio[0].reason.code == .cut)
        let mixed = try plan([.init(.all, ["film"]), .init(.audio, ["music"])])
        #expect(mixed.video?.mode == .copy && mixed.audio[0].mode != .copy)
    }

    @Test("one whole source for each is the pair that it always was")
    func pair() throws {
        let clips = Clip.clips(of: Composition(video: "film", audio: "music"))
        #expect(clips == [Clip(videoSource: 0, audioSource: 1)])
    }

    @Test("a preset that copies refuses a mix and a volume")
    func refusesCopies() throws {
        let mix = message {
            try plan([.init(.all, ["film"]), .init(.audio, ["music"])], preset: "passthrough")
        }
        #expect(mix.contains("mixes 2 tracks of sound") && mix.contains("no copy"))
        let volume = message {
            try plan(
                [.init(.all, segments: [.init(source: "film")], volume: Volume(0.5))],
                preset: "passthrough")
        }
        #expect(volume.contains("changes the volume"))
    }

    @Test("a source without what its track takes is refused by name")
    func missing() throws {
        let sound = message {
            try plan([.init(.all, ["film"]), .init(.audio, ["music", "mute"])])
        }
        #expect(sound.contains("mute.mov") && sound.contains("no sound, but track 2"))
        let pictures = message { try plan([.init(.video, ["film", "music"])]) }
        #expect(pictures.contains("music.mp3") && pictures.contains("no pictures, but track 1"))
        // Silent pictures take music without a mix.
        let silent = try plan([.init(.all, ["mute"]), .init(.audio, ["music"])])
        #expect(silent.audio.count == 1 && silent.audio[0].mix == nil)
    }

    @Test("a range counts on the whole timeline, and volumes move with it")
    func range() throws {
        let volume = Volume(1, ramps: [.init(start: 4, duration: 2, from: 1, to: 0)])
        let tracks: [Composition.Track] = [
            .init(.all, ["film"]),
            .init(.audio, segments: [.empty(5), .init(source: "music")], volume: volume),
        ]
        let plan = try plan(tracks, range: TimeRange(start: 3, end: 12))
        #expect(plan.duration == 9)
        #expect(plan.video?.segments.map(\.duration) == [7, 2])
        let mix = try #require(plan.audio[0].mix)
        #expect(mix[0].segments.map(\.duration) == [7, 2])
        #expect(mix[1].segments.map(\.duration) == [2, 7])
        #expect(mix[1].volume.ramps.map(\.start) == [1])
        // Before the music begins, nothing is mixed.
        #expect(try self.plan(tracks, range: TimeRange(start: 0, end: 4)).audio[0].mix == nil)
        let error = message { try self.plan(tracks, range: TimeRange(start: 11, end: 14)) }
        #expect(error.contains("holds no picture of any source"))
        #expect(message { try self.plan(tracks, range: TimeRange(start: 15)) }.contains("lasts 15"))
        let late = try self.plan(tracks, preset: "m4a", range: TimeRange(start: 11, end: 14))
        #expect(late.video == nil && late.duration == 3)
    }

    @Test("separate tracks of one source stay in step")
    func inStep() throws {
        var late = Self.film
        late.description.tracks[1].startTime = 0.5
        let composition = Composition(tracks: [
            .init(.video, segments: [part("a", 1, 3)]), .init(.audio, segments: [part("a", 1, 3)]),
        ])
        let plan = try PlanFixture.plan(
            [late, late], clips: Clip.clips(of: composition))
        #expect(plan.video?.segments.map(\.sourceStart) == [1])
        #expect(plan.audio[0].segments.map(\.sourceStart) == [1])
    }

    @Test("a preset without sound or pictures leaves those tracks out, also their length")
    func leftOut() throws {
        let tracks: [Composition.Track] = [
            .init(.video, segments: [part("film", 0, 3)]), .init(.audio, ["music", "music"]),
        ]
        let mute = try plan(tracks) { $0.audio = nil }
        #expect(mute.duration == 3 && mute.audio.isEmpty)
        let sound = try plan(tracks, preset: "m4a")
        #expect(sound.duration == 20 && sound.video == nil)
    }

    @Test("each sample's factor is that of its time")
    func gains() {
        var random = SeededRandom(state: 3)
        for rate in [44_100, 48_000] {
            let ramps = [
                Volume.Ramp(start: 0.1, duration: 0.25, from: 0, to: 1),
                Volume.Ramp(start: 0.35, duration: 0.1, from: 0.5, to: 0.5),
                Volume.Ramp(start: 0.7, duration: 0.01, from: 2, to: 0.1),
            ]
            let volume = Volume(0.75, ramps: ramps)
            let curve = GainCurve(volume, sampleRate: rate)
            let whole = curve.gains(from: 0, count: rate)
            for sample in 0..<rate {
                let time = MediaTime(value: Int64(sample), timescale: Int64(rate))
                #expect(abs(Double(whole[sample]) - volume.level(at: time)) < 1e-4)
            }
            for _ in 0..<50 {
                let (first, count) = (random.below(rate), random.below(2000))
                let block = curve.gains(from: Int64(first), count: count)
                #expect(block.prefix(rate - first) == whole[first...].prefix(count))
            }
        }
    }
}

import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Plans of parts that only their sources end")
struct SettlingTests {
    private static func asset(_ seconds: MediaTime, _ tracks: [AssetTrack]) -> InspectedAsset {
        let tracks = tracks.map { track in
            var track = track
            track.duration = seconds
            return track
        }
        return PlanFixture.asset(tracks, name: "clip of \(seconds)") {
            $0.description.duration = seconds
        }
    }

    private func plan(
        _ composition: Composition, _ assets: [InspectedAsset], range: TimeRange? = nil
    ) throws -> ExportPlan {
        try #require(composition.fault == nil)
        var settings = ExportSettings()
        settings.timeRange = range
        var planner = ExportPlanner(
            assets: assets, clips: TakeupExport.Clip.clips(of: composition),
            volumes: TakeupExport.Clip.volumes(of: composition),
            preset: try ExportPreset.named("stories"),
            settings: settings)
        (planner.loops, planner.duckings) = (
            TakeupExport.Clip.loops(of: composition), TakeupExport.Clip.duckings(of: composition)
        )
        return try planner.plan()
    }

    private static let template = CompositionTemplate(
        name: "x", preset: "stories", clipSeconds: 6, fit: .blur, transition: .dissolve)

    private static func clips(_ seconds: [MediaTime]) -> [InspectedAsset] {
        seconds.map { asset($0, [PlanFixture.video(), PlanFixture.audio()]) }
    }

    @Test("clips last as long as they may, shorter ones as they are, without a warning")
    func most() throws {
        let composition = Self.template.composition(of: ["a", "b", "c"])
        let plan = try plan(composition, Self.clips([10, 2, 6]))
        let layers = try #require(plan.video?.composition?.layers)
        #expect(layers.map(\.segment.duration) == [6, 2, 6])
        #expect(layers.map(\.segment.targetStart) == [0, 5.5, 7])
        #expect(plan.duration == 13 && plan.warnings == [])
    }

    @Test("transitions become as short as a clip needs, and a cut where there is no room")
    func transitions() throws {
        let composition = Self.template.composition(of: ["a", "b", "c", "d"])
        let plan = try plan(composition, Self.clips([10, 0.6, 6, 0.04]))
        let layers = try #require(plan.video?.composition?.layers)
        #expect(layers.map { $0.enters?.duration } == [nil, 0.3, 0.3, nil])
        #expect(layers.map(\.segment.targetStart) == [0, 5.7, 6, 12])
        #expect(plan.decisions.contains { $0.choice == "3 are shorter" })
        // A stated end is a wish: it is refused as before.
        var stated = composition
        for place in 0..<4 {
            stated.tracks[0].segments[place].most = nil
        }
        #expect(throws: ExportError.self) {
            _ = try self.plan(stated, Self.clips([10, 0.6, 6, 0.04]))
        }
    }

    @Test("a still picture is shown as long as a clip may be")
    func still() throws {
        let picture = PlanFixture.asset([PlanFixture.video()], name: "a.png") {
            $0.description.container = "png_pipe"
            $0.description.duration = 0.04
            $0.expectedPackets = [0: 1]
        }
        let composition = Self.template.composition(of: ["a", "b"], music: "m")
        let plan = try plan(
            composition,
            [picture, picture, Self.asset(30, [PlanFixture.audio(index: 0)])])
        #expect(plan.duration == 11.5 && plan.warnings == [])
        // None of them sounds: the music is alone.
        let mix = try #require(plan.audio.first?.mix)
        #expect(mix.map(\.track) == [1])
        #expect(mix[0].fades == Volume(ramps: [.init(start: 9.5, duration: 2, from: 1, to: 0)]))
    }

    @Test("music that is too long is cut, and fades out at the end")
    func cut() throws {
        let composition = Self.template.composition(of: ["a", "b"], music: "m")
        let music = Self.asset(100, [PlanFixture.audio(index: 0)])
        let plan = try plan(composition, Self.clips([10, 3]) + [music])
        let mix = try #require(plan.audio.first?.mix)
        #expect(plan.duration == 8.5)
        let own = mix.filter { $0.track == 1 }
        #expect(own.map { $0.segments.map(\.duration) } == [[8.5]])
        #expect(own[0].fades?.ramps == [.init(start: 6.5, duration: 2, from: 1, to: 0)])
        #expect(own[0].volume == Volume(0.5))
        let part = try self.plan(
            composition, Self.clips([10, 3]) + [music], range: TimeRange(start: 2, end: 7.5))
        let cut = try #require(part.audio.first?.mix?.last)
        #expect(cut.fades?.ramps == [.init(start: 4.5, duration: 2, from: 1, to: 0)])
        #expect(cut.segments.map(\.sourceStart).first == 2)
    }

    @Test("music that is too short is repeated to the sample")
    func repeated() throws {
        var composition = Self.template.composition(of: ["a", "b"], music: "m")
        let music = Self.asset(4, [PlanFixture.audio(index: 0)])
        let plan = try plan(composition, Self.clips([6, 6]) + [music])
        let own = try #require(plan.audio.first?.mix?.last)
        #expect(own.segments.map(\.duration) == [4, 4, 3.5])
        #expect(own.segments.map(\.targetStart) == [0, 4, 8])
        #expect(Set(own.segments.map(\.source)) == [2])
        // Several segments: those that begin too late are left out.
        composition.tracks[1].segments = ["m", "m", "m"].map {
            .init(source: $0, range: TimeRange(start: 1, duration: 3))
        }
        let sounds = Array(repeating: music, count: 3)
        let long = try self.plan(composition, Self.clips([2, 2]) + sounds)
        let cut = try #require(long.audio.first?.mix?.last)
        #expect(long.duration == 3.5 && cut.segments.map(\.duration) == [3, 0.5])
        #expect(cut.segments.map(\.source) == [2, 3])
    }

    @Test("nothing is repeated without end")
    func limit() throws {
        let composition = Self.template.composition(of: ["a", "b"], music: "m")
        let tick = Self.asset(0.001, [PlanFixture.audio(index: 0)])
        let error = #expect(throws: ExportError.self) {
            _ = try plan(composition, Self.clips([6, 6]) + [tick])
        }
        #expect(error.map { "\($0)".contains("more than 10000 parts") } == true, "\(error)")
    }

    @Test("of thousands of clips take time in proportion")
    func growth() throws {
        let asset = Self.asset(10, [PlanFixture.video(), PlanFixture.audio()])
        let music = Self.asset(4, [PlanFixture.audio(index: 0)])
        var template = Self.template
        template.transition = nil
        let growth = try WorkGrowth(from: 200, to: 1600) { (count: Int) throws in
            let composition = template.composition(
                of: Array(repeating: "a", count: count), music: "m")
            var planner = ExportPlanner(
                assets: [asset, music],
                clips: TakeupExport.Clip.clips(of: composition).map {
                    $0.reading(Array(repeating: 0, count: count) + [1])
                }, volumes: TakeupExport.Clip.volumes(of: composition),
                preset: try ExportPreset.named("stories"), settings: ExportSettings())
            planner.loops = TakeupExport.Clip.loops(of: composition)
            _ = try planner.plan()
        }
        #expect(growth.factor < 24, "\(growth)")
    }
}

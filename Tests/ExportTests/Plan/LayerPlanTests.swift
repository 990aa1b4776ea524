import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Plans of layers and transitions")
struct LayerPlanTests {
    /// Ten seconds with pictures and sound.
    private static let film = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()])

    private func plan(
        _ composition: Composition, preset: String = "1920x1080", range: TimeRange? = nil,
        _ assets: [InspectedAsset]? = nil, _ change: (inout ExportPreset) -> Void = { _ in }
    ) throws -> ExportPlan {
        var settings = ExportSettings()
        settings.timeRange = range
        #expect(composition.fault == nil)
        var preset = try ExportPreset.named(preset)
        change(&preset)
        var planner = ExportPlanner(
            assets: assets ?? composition.sources.map { _ in Self.film },
            clips: Clip.clips(of: composition), volumes: Clip.volumes(of: composition),
            background: composition.background, preset: preset, settings: settings)
        return try planner.plan()
    }

    private static func part(
        _ start: MediaTime, _ duration: MediaTime, _ transition: Transition? = nil,
        speed: Ratio? = nil
    ) -> Composition.Segment {
        var part = Composition.Segment(
            source: "a", range: TimeRange(start: start, duration: duration), speed: speed)
        part.transition = transition
        return part
    }

    private func composed(_ plan: ExportPlan) throws -> ComposedPictures {
        try #require(plan.video?.composition)
    }

    @Test("segments that are joined overlap, in the pictures and in the sound")
    func overlap() throws {
        let plan = try plan(
            Composition(tracks: [
                .init(
                    .all,
                    segments: [
                        Self.part(1, 4), Self.part(2, 3, Transition(.dissolve, 1)),
                        Self.part(0, 2, Transition(.dip, 0.5)),
                    ])
            ]))
        let pictures = try composed(plan)
        #expect(plan.duration == 7.5 && pictures.rate == Ratio(25, 1))
        // 187.5 pictures.
        #expect(pictures.count == 188 && plan.video?.promise?.pictures == 188...188)
        #expect(pictures.layers.map(\.segment.targetStart) == [0, 3, 5.5])
        #expect(pictures.layers.map(\.segment.sourceStart) == [1, 2, 0])
        #expect(pictures.layers.map { $0.enters?.start } == [nil, 3, 5.5])
        #expect(pictures.layers.map { $0.leaves?.start } == [3, 5.5, nil])
        #expect(plan.video?.reason.code == .composed && plan.audio[0].reason.code == .mixed)
        let mix = try #require(plan.audio[0].mix)
        #expect(mix.map { $0.segments.map(\.duration) } == [[4, 1.5, 2], [3, 3, 1.5]])
        #expect(
            mix.map { $0.segments.map(\.isEmpty) } == [[false, true, false], [true, false, true]])
        let fades = mix.map { track in
            [2.5, 3, 3.25, 4, 5.5, 5.75, 6].map { track.fades?.level(at: $0) ?? -1 }
        }
        #expect(fades[0] == [1, 1, 0.75, 0, 0, 0.5, 1])
        #expect(fades[1] == [1, 0, 0.25, 1, 1, 0.5, 0])
        #expect("\(plan)".contains("transitions: 1 dissolve, 1 dip"))
    }

    @Test("what is shown and heard at any time is what a naive model says", arguments: 0..<40)
    func naive(seed: UInt64) throws {
        var random = SeededRandom(state: seed)
        let tracks = (0...random.below(3)).map { _ in NaiveLayers(&random) }
        let composition = Composition(
            tracks: tracks.map { .init(.all, segments: $0.segments) }, background: .black)
        let total = tracks.map(\.end).max() ?? 0
        let start = random.below(2) == 0 ? 0 : random.below(total / 2)
        let length = 1 + random.below(total - start)
        let range = TimeRange(start: NaiveLayers.time(start), duration: NaiveLayers.time(length))
        guard tracks.contains(where: { $0.showsAnything(from: start, to: start + length) }) else {
            return
        }
        let plan = try plan(composition, range: range)
        let pictures = try composed(plan)
        #expect(plan.duration == NaiveLayers.time(length))
        let sounds = plan.audio.first?.mix ?? []
        for _ in 0..<60 {
            let time = random.below(length)
            let now = NaiveLayers.time(time)
            let wanted = tracks.enumerated().flatMap { $1.shown(at: start + time, track: $0) }
            let found = pictures.layers.filter { $0.segment.holds(now) }.map { layer in
                NaiveLayers.Shown(
                    track: layer.track, position: layer.segment.position(at: now),
                    share: (layer.enters?.share(at: now) ?? 1)
                        * (1 - (layer.leaves?.share(at: now) ?? 0)))
            }
            #expect(found == wanted, "seed \(seed) at \(start + time)")
            let heard = sounds.flatMap { track in
                track.segments.filter { $0.track != nil && $0.holds(now) }.map {
                    NaiveLayers.Shown(
                        track: track.track, position: $0.position(at: now),
                        share: track.fades?.level(at: now) ?? 1)
                }
            }
            // A track that alone has sound and no transition is no mix.
            guard !sounds.isEmpty else { continue }
            #expect(
                heard.sorted { ($0.track, $0.share) < ($1.track, $1.share) }
                    == wanted.sorted { ($0.track, $0.share) < ($1.track, $1.share) },
                "seed \(seed) at \(start + time)")
        }
    }

    @Test("layers are divided among as few lines as are seen at once")
    func lines() throws {
        let plan = try plan(
            Composition(tracks: [
                .init(.video, segments: (0..<5).map { _ in Self.part(0, 2) }),
                .init(
                    .video,
                    segments: (0..<4).map {
                        Self.part(0, 3, $0 > 0 ? Transition(.dissolve, 1) : nil)
                    }),
            ]))
        let pictures = try composed(plan)
        let lines = LayerLine.divided(pictures)
        #expect(lines.count == 3)
        #expect(lines.flatMap { $0.map(\.layer) }.sorted() == Array(0..<9))
        for line in lines {
            for (one, next) in zip(line, line.dropFirst()) {
                #expect(one.pictures.upperBound <= next.pictures.lowerBound)
            }
        }
    }

    @Test("the rate is the preset's, or the highest of the layers, in an even part of it")
    func rates() throws {
        func film(_ rate: Ratio, _ mode: FrameTiming = .constant) -> InspectedAsset {
            PlanFixture.asset([
                PlanFixture.video { _, traits in
                    (traits.averageFrameRate, traits.nominalFrameRate) = (rate, rate)
                    traits.frameRateMode = mode
                }
            ])
        }
        func rate(
            _ assets: [InspectedAsset], _ change: (inout ExportPreset) -> Void = { _ in }
        ) throws -> Ratio {
            let tracks = assets.map { _ in Composition.Track(.video, ["a"]) }
            return try composed(plan(Composition(tracks: tracks), assets, change)).rate
        }
        let ntsc = Ratio(30_000, 1001)
        #expect(try rate([film(Ratio(24, 1)), film(ntsc)]) == ntsc)
        #expect(try rate([film(Ratio(25, 1)), film(Ratio(2989, 100), .variable)]) == ntsc)
        let halved = try rate([film(Ratio(50, 1)), film(Ratio(25, 1))]) {
            $0.video?.maxFrameRate = 30
        }
        #expect(halved == Ratio(25, 1))
        #expect(try rate([film(Ratio(1, 1)), film(Ratio(2, 1))]) == Ratio(30, 1))
        let fixed = try rate([film(Ratio(25, 1)), film(Ratio(25, 1))]) {
            $0.video?.frameRateMode = .constant
            $0.video?.frameRate = FrameRateValue("60000/1001")
        }
        #expect(fixed == Ratio(60_000, 1001))
    }

    @Test("a segment's layout counts from its start, a track's on the timeline, also in a range")
    func layouts() throws {
        let ramp = Ramped<Double>.Ramp(start: 1, duration: 2, from: 0, to: 1)
        var own = Self.part(0, 5)
        own.layout = Layout(opacity: Ramped(0, ramps: [ramp]))
        let composition = Composition(tracks: [
            .init(
                .video, segments: [Self.part(0, 4), own],
                layout: Layout(fit: .fill, opacity: Ramped(1), rotation: Ramped(0, ramps: [ramp])))
        ])
        let layers = try composed(plan(composition, range: TimeRange(start: 2))).layers
        #expect(layers[0].layout.opacity?.value(at: 0) == 1)
        #expect(layers[1].layout.opacity?.value(at: 3) == 0)
        #expect(layers[1].layout.opacity?.value(at: 4) == 0.5)
        #expect(layers[0].layout.rotation?.value(at: 0) == 0.5)
        #expect(layers[1].layout.fit == .fill && layers[1].layout.rotation?.value(at: 0) == 0.5)
    }

    @Test("a preset that copies refuses a composition, one without pictures leaves them out")
    func presets() throws {
        let composition = Composition(tracks: [.init(.all, ["a"]), .init(.all, ["a"])])
        let error = #expect(throws: ExportError.self) {
            try plan(composition, preset: "passthrough")
        }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("composes pictures"))
        let sound = try plan(composition, preset: "m4a")
        #expect(sound.video == nil && sound.audio[0].mix?.count == 2)
        // One track stays what it was.
        #expect(try plan(Composition(joining: ["a", "a"])).video?.composition == nil)
    }

    @Test("HDR above SDR is tone-mapped, and that is told")
    func mixedRange() throws {
        let bright = PlanFixture.asset([
            PlanFixture.video { _, traits in
                traits.color = ColorTags(
                    primaries: "bt2020", transfer: "smpte2084", matrix: "bt2020nc", range: "tv")
                (traits.pixelFormat, traits.bitDepth) = ("yuv420p10le", 10)
            }
        ])
        let tracks = [Composition.Track(.video, ["a"]), .init(.video, ["a"])]
        let plan = try plan(Composition(tracks: tracks), [Self.film, bright])
        #expect(plan.losses.contains(.highDynamicRange))
        #expect(plan.warnings.contains { $0.code == "toneMapped" })
        var clear = bright
        clear.description.tracks[0].video?.hasAlpha = true
        let error = #expect(throws: ExportError.self) {
            try self.plan(Composition(tracks: tracks), [Self.film, clear])
        }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("transparent HDR"))
    }
}

import TakeupModel
import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("Plans of empty time and speeds")
struct TimelinePlanTests {
    private static let asset = PlanFixture.asset([PlanFixture.video(), PlanFixture.audio()]) {
        $0.longestSteps = [
            0: MediaTime(value: 1, timescale: 25), 1: MediaTime(value: 1024, timescale: 48_000),
        ]
        $0.description.chapters = [Chapter(start: 2, end: 5, title: "a")]
    }

    private func plan(
        _ segments: [Composition.Segment], preset: String = "1920x1080",
        range: TimeRange? = nil, _ change: (inout ExportPreset) -> Void = { _ in }
    ) throws -> ExportPlan {
        var settings = ExportSettings()
        settings.timeRange = range
        let composition = Composition(tracks: [.init(.all, segments: segments)])
        return try PlanFixture.plan(
            composition.sources.map { _ in Self.asset }, preset: preset, settings: settings,
            clips: Clip.clips(of: composition), change)
    }

    private func source(_ speed: Ratio? = nil, _ range: TimeRange? = nil) -> Composition.Segment {
        Composition.Segment(source: "a", range: range, speed: speed)
    }

    @Test("empty time lies between the sources, is never copied, and is told")
    func empty() throws {
        let plan = try plan([.empty(2), source(), .empty(1.5), source(), .empty(0.5)])
        let video = try #require(plan.video)
        #expect(plan.duration == 24)
        #expect(video.segments.map(\.isEmpty) == [true, false, true, false, true])
        #expect(video.segments.map(\.targetStart) == [0, 2, 12, 13.5, 23.5])
        #expect(video.segments.map(\.track) == [nil, 0, nil, 0, nil])
        #expect(video.segments.filter { !$0.isEmpty }.map(\.source) == [0, 1])
        #expect(plan.audio[0].segments.map(\.track) == [nil, 1, nil, 1, nil])
        #expect(video.reason.code == .emptyTime && plan.audio[0].reason.code == .emptyTime)
        #expect(video.promise?.start == 0 && video.promise?.end == 24)
        #expect(plan.audio[0].promise?.end == 24)
        #expect("\(plan)".contains("empty time: 3 times, 4.000 s"))
    }

    @Test("a speed scales a part's length, rate, promise and chapters, and is told")
    func speed() throws {
        let part = TimeRange(start: 2, duration: 6)
        let plan = try plan([source(Ratio(3, 2), part), source(Ratio(1, 2))])
        let video = try #require(plan.video)
        #expect(video.segments.map(\.duration) == [4, 20])
        #expect(video.segments.map(\.ownDuration) == [6, 10])
        #expect(video.segments.map(\.sourceStart) == [2, 0])
        #expect(video.segments.map(\.targetStart) == [0, 4])
        #expect(video.reason.code == .speedChanged)
        #expect(video.promise?.end == 24 && plan.audio[0].promise?.end == 24)
        #expect("\(plan)".contains("speed: part 1 at 3/2, part 2 at 1/2"))
        #expect(plan.chapters.map(\.start) == [0, 8] && plan.chapters.map(\.end) == [2, 14])
        // 37.5 and 12.5 pictures a second.
        guard case .encode(let encoding) = video.mode else { return }
        #expect(encoding.timing.grid == nil && encoding.frameRate == Ratio(75, 2))
    }

    @Test("one source at one speed keeps an even rate")
    func even() throws {
        let plan = try plan([source(Ratio(2, 1))])
        guard case .encode(let encoding) = plan.video?.mode else {
            Issue.record("\(plan)")
            return
        }
        #expect(encoding.timing.grid == Ratio(50, 1) && encoding.timing.maximumRate == nil)
        #expect(plan.losses == [])
    }

    @Test("pictures that no screen shows are dropped, and that is told as a loss")
    func fast() throws {
        let plan = try plan([source(Ratio(8, 1)), source()])
        guard case .encode(let encoding) = plan.video?.mode else {
            Issue.record("\(plan)")
            return
        }
        #expect(encoding.timing.maximumRate == 120 && plan.losses == [.frames])
        let limited = try self.plan([source(Ratio(2, 1))]) { $0.video?.maxFrameRate = 30 }
        #expect(limited.losses == [.frames])
        let hasty = try self.plan([source(Ratio(100, 1))]) { $0.video?.maxFrameRate = 30 }
        #expect(hasty.losses == [.frames])
    }

    @Test("a range of the export is one of the timeline, at its speeds")
    func range() throws {
        let range = TimeRange(start: 3, end: 14)
        let plan = try plan([source(Ratio(2, 1)), .empty(2), source(Ratio(1, 2))], range: range)
        let segments = try #require(plan.video?.segments)
        #expect(segments.map(\.duration) == [2, 2, 7])
        #expect(segments.map(\.sourceStart) == [6, 0, 0])
        #expect(segments.map(\.ownDuration) == [4, 2, 3.5])
        let error = #expect(throws: ExportError.self) {
            try self.plan([source(), .empty(5)], range: TimeRange(start: 11, end: 12))
        }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("nothing but empty time"))
    }

    @Test("a part that ends early moves what follows by its time at its speed")
    func short() throws {
        let part = TimeRange(start: 4, duration: 16)
        let plan = try plan([source(Ratio(2, 1), part), .empty(1)])
        #expect(plan.duration == 4)
        let warning = try #require(plan.warnings.first { $0.code == "rangeShortened" })
        #expect(warning.message.contains("5.000 s earlier"))
    }

    @Test("a preset that copies refuses both", arguments: [nil, Ratio(2, 1)])
    func copies(speed: Ratio?) throws {
        let segments = speed == nil ? [source(), .empty(1)] : [source(speed)]
        let error = #expect(throws: ExportError.self) {
            try plan(segments, preset: "passthrough")
        }
        let words = speed == nil ? "empty time" : "faster or slower"
        #expect("\(error.map(String.init(describing:)) ?? "")".contains(words))
    }

    @Test("a constant rate promises the number of pictures")
    func constant() throws {
        let plan = try plan([source(Ratio(2, 1)), .empty(1), source()]) {
            $0.video?.frameRateMode = .constant
            $0.video?.frameRate = FrameRateValue("30")
        }
        #expect(plan.video?.promise?.pictures == 479...481)
    }
}

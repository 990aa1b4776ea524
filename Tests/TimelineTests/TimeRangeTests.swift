import TakeupTimeline
import Testing

@Suite("TimeRange")
struct TimeRangeTests {
    @Test("knows its end, if it has one")
    func end() {
        #expect(TimeRange(start: 2, duration: 3).end == 5)
        #expect(TimeRange(start: 2).end == nil)
        #expect(TimeRange(start: 1.5, end: 4).duration == 2.5)
    }

    @Test(
        "keeps the part that lies within a total",
        arguments: [
            (TimeRange(start: 0, duration: 10), TimeRange(start: 0, duration: 10)),
            (TimeRange(start: 4), TimeRange(start: 4, duration: 6)),
            (TimeRange(start: 4, duration: 100), TimeRange(start: 4, duration: 6)),
            (TimeRange(start: -5, duration: 7), TimeRange(start: 0, duration: 2)),
            (TimeRange(start: 2, duration: 3), TimeRange(start: 2, duration: 3)),
            (TimeRange(start: 10), nil),
            (TimeRange(start: 11, duration: 1), nil),
            (TimeRange(start: -2, duration: 2), nil),
            (TimeRange(start: 3, duration: 0), nil),
            (TimeRange(start: 5, end: 4), nil),
        ] as [(TimeRange, TimeRange?)])
    func clamped(range: TimeRange, expected: TimeRange?) {
        #expect(range.clamped(to: 10) == expected)
    }

    @Test("a ratio prints as it is written and needs a positive denominator")
    func ratio() async {
        #expect("\(Ratio(30_000, 1001)) \(Ratio(25, 1))" == "30000/1001 25")
        #expect(Ratio(1, 4).doubleValue == 0.25)
        await #expect(processExitsWith: .failure) { _ = Ratio(1, 0) }
    }
}

import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("FrameClock")
struct FrameClockTests {
    private func clock(
        _ segment: TrackSegment, grid: Ratio? = nil,
        tick: MediaTime = MediaTime(value: 1, timescale: 1000)
    ) -> FrameClock {
        FrameClock(
            PlanFixture.timing(timescale: 30_000, grid: grid), segment, sourceTick: tick,
            rate: Ratio(30, 1))
    }

    @Test("puts pictures where they were, moved to the segment's place")
    func plain() {
        var clock = clock(
            PlanFixture.segment(duration: 1, target: 5, isWhole: false, mustFill: true))
        #expect(clock.place(0) == .show(at: 150_000))
        #expect(clock.place(0.5) == .show(at: 165_000))
        #expect(clock.target + clock.length == 180_000)
        #expect(clock.place(1) == .past)
    }

    @Test("another speed scales times exactly, before they are rounded")
    func speed() {
        for (speed, rate) in [(Ratio(7, 3), 70), (Ratio(1, 2), 15), (Ratio(2, 1), 60)] {
            let own = MediaTime(seconds: Int64(1)).taken(at: speed)
            var clock = clock(
                PlanFixture.segment(duration: 1, target: 5, isWhole: false, speed: speed))
            for picture in 0..<rate {
                let exact = MediaTime(value: Int64(picture), timescale: Int64(rate))
                let time = MediaTime(value: Int64(picture), timescale: 30)
                let ticks = exact.ticks(of: 1, over: 30_000)
                #expect(clock.place(time) == .show(at: 150_000 + ticks))
            }
            #expect(clock.place(own) == .past)
        }
    }

    @Test("segments with crooked lengths do not overlap by a tick")
    func crooked() {
        let (first, second) = (
            MediaTime(value: 100_003, timescale: 300_000),
            MediaTime(value: 100_003, timescale: 150_000)
        )
        let clock = clock(
            PlanFixture.segment(duration: first, target: first, isWhole: false, mustFill: true))
        #expect(clock.target + clock.length == second.ticks(of: 1, over: 30_000))
    }

    @Test("milliseconds of an even source become its exact frame times")
    func grid() {
        var clock = clock(PlanFixture.segment(), grid: Ratio(30_000, 1001))
        for frame in 0..<200 {
            let exact = MediaTime(value: Int64(frame) * 1001, timescale: 30_000)
            let rounded = MediaTime(value: exact.ticks(of: 1, over: 1000), timescale: 1000)
            #expect(clock.place(rounded) == .show(at: Int64(frame) * 1001))
        }
    }

    @Test("a time off the grid stays as it is")
    func offGrid() {
        var clock = clock(PlanFixture.segment(), grid: Ratio(30, 1))
        #expect(clock.place(0) == .show(at: 0))
        #expect(clock.place(MediaTime(value: 50, timescale: 1000)) == .show(at: 1500))
    }

    @Test("the picture that is still visible at the start is held, then shown there")
    func held() {
        var clock = clock(PlanFixture.segment(start: 2, duration: 1, isWhole: false))
        #expect(clock.place(-0.04) == .hold)
        #expect(clock.place(-0.02) == .hold)
        let isShown = clock.showsHeld(before: 0.02)
        #expect(isShown)
        #expect(clock.place(0.02) == .show(at: 600))
        let isShownTwice = clock.showsHeld(before: 0.05)
        #expect(!isShownTwice)
    }

    @Test("a picture exactly at the start needs none held back")
    func exactStart() {
        var clock = clock(PlanFixture.segment(start: 2, duration: 1, isWhole: false))
        #expect(clock.place(-0.04) == .hold)
        let isShown = clock.showsHeld(before: 0)
        #expect(!isShown)
        #expect(clock.place(0) == .show(at: 0))
    }

    @Test("pictures without a time, or with one used before, follow one another")
    func missing() {
        var clock = clock(PlanFixture.segment())
        #expect(clock.place(nil) == .show(at: 0))
        #expect(clock.place(nil) == .show(at: 1000))
        #expect(clock.place(0) == .show(at: 1001))
        #expect(clock.place(0) == .show(at: 1002))
    }

    @Test("pictures without a time follow as far apart as those before, whatever the nominal rate")
    func untimedEnd() {
        var clock = clock(PlanFixture.segment())
        #expect(clock.place(0) == .show(at: 0))
        #expect(clock.place(MediaTime(value: 1, timescale: 15)) == .show(at: 2000))
        #expect(clock.place(MediaTime(value: 2, timescale: 15)) == .show(at: 4000))
        #expect(clock.place(nil) == .show(at: 6000))
        #expect(clock.place(nil) == .show(at: 8000))
    }

    @Test("one odd step is no measure for pictures without a time")
    func oddStep() {
        var clock = clock(PlanFixture.segment())
        #expect(clock.place(0) == .show(at: 0))
        #expect(clock.place(MediaTime(value: 1, timescale: 10)) == .show(at: 3000))
        #expect(clock.place(nil) == .show(at: 4000))
    }

    @Test("only a whole last segment goes on beyond what the container promised")
    func openEnd() {
        var open = clock(PlanFixture.segment(duration: 1))
        #expect(open.place(0) == .show(at: 0))
        #expect(open.place(3) == .show(at: 90_000))
        var closed = clock(PlanFixture.segment(duration: 1, mustFill: true))
        #expect(closed.place(0) == .show(at: 0))
        #expect(closed.place(3) == .past)
    }

    @Test("times that no source has do not overflow")
    func absurd() {
        let far = MediaTime(value: .max, timescale: 1)
        var clock = clock(
            PlanFixture.segment(duration: far, target: far), grid: Ratio(30_000, 1001))
        #expect(clock.place(-far) == .hold)
        _ = clock.showsHeld(before: far)
        _ = clock.place(far)
        _ = clock.place(nil)
        #expect(clock.target + clock.length > 0)
    }
}

import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("SoundClock")
struct SoundClockTests {
    private static let tick = MediaTime(value: 1, timescale: 48_000)

    private func clock(_ duration: MediaTime? = 10) -> SoundClock {
        SoundClock(sampleRate: 48_000, duration: duration, sourceTick: Self.tick)
    }

    @Test("blocks that follow one another are kept whole")
    func even() {
        var clock = clock()
        for place in 0..<4 {
            let time = MediaTime(value: Int64(place) * 1024, timescale: 48_000)
            #expect(clock.place(time, count: 1024) == .init(keep: 1024))
        }
        #expect(clock.position == 4096 && clock.rest == 480_000 - 4096)
    }

    @Test("timestamps that only jitter move nothing")
    func jitter() {
        var clock = clock()
        #expect(clock.place(0, count: 960) == .init(keep: 960))
        #expect(clock.place(0.039, count: 960) == .init(keep: 960))
        #expect(clock.place(0.021, count: 960) == .init(keep: 960))
        #expect(clock.place(nil, count: 960) == .init(keep: 960))
        #expect(clock.position == 3840)
    }

    @Test("a gap becomes silence, an overlap is cut")
    func gapAndOverlap() {
        var clock = clock()
        #expect(clock.place(0, count: 4800) == .init(keep: 4800))
        #expect(clock.place(0.2, count: 4800) == .init(silence: 4800, keep: 4800))
        #expect(clock.place(0.2, count: 4800) == .init(drop: 4800))
        #expect(clock.place(0.25, count: 4800) == .init(drop: 2400, keep: 2400))
        #expect(clock.overlap == 7200)
        #expect(clock.position == 16_800)
    }

    @Test("begins exactly at the segment's start, however little is missing")
    func start() {
        var late = clock()
        #expect(late.place(0.01, count: 960) == .init(silence: 480, keep: 960))
        var early = clock()
        #expect(early.place(-0.5, count: 960) == .init(drop: 960))
        #expect(early.place(-0.01, count: 960) == .init(drop: 480, keep: 480))
        #expect(early.position == 480)
    }

    @Test("times that jitter before the start move it by nothing")
    func jitterBeforeStart() {
        var clock = clock()
        for place in -4 ..< -1 {
            let time = MediaTime(value: Int64(place) * 1024, timescale: 48_000)
            #expect(clock.place(time, count: 1024) == .init(drop: 1024))
        }
        let late = MediaTime(value: -1024 + 448, timescale: 48_000)
        #expect(clock.place(late, count: 1024) == .init(drop: 1024))
        #expect(clock.place(0, count: 1024) == .init(keep: 1024))
        #expect(clock.position == 1024)
    }

    @Test("ends exactly at the segment's end")
    func end() {
        var clock = clock(0.1)
        #expect(clock.place(0, count: 3000) == .init(keep: 3000))
        #expect(clock.place(0.0625, count: 3000) == .init(keep: 1800))
        #expect(clock.isPastEnd && clock.rest == 0)
        #expect(clock.place(0.2, count: 3000) == .init())
        var gap = self.clock(0.1)
        #expect(gap.place(5, count: 100) == .init(silence: 4800))
        var open = self.clock(nil)
        #expect(open.place(0, count: 100) == .init(keep: 100))
        #expect(open.rest == 0 && !open.isPastEnd)
    }

    @Test("goes on at another rate from the same moment")
    func rateChange() {
        var clock = clock()
        _ = clock.place(0, count: 48_000)
        clock.changeRate(to: 44_100)
        #expect(clock.position == 44_100)
        #expect(clock.place(1, count: 441) == .init(keep: 441))
    }

    @Test(
        "times that no source has do not overflow",
        arguments: [MediaTime(value: .max, timescale: 1), MediaTime(value: .min, timescale: 1)])
    func absurd(time: MediaTime) {
        for duration in [nil, MediaTime(value: .max, timescale: 1)] {
            var clock = clock(duration)
            for time in [time, nil, .zero, time] {
                let placement = clock.place(time, count: 1024)
                #expect(placement.keep + placement.drop <= 1024 && placement.silence >= 0)
            }
        }
    }
}

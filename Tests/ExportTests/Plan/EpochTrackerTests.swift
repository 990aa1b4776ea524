import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("EpochTracker")
struct EpochTrackerTests {
    /// Adds packets of 0.1 s from one time up to another.
    private func add(
        _ tracker: inout EpochTracker, _ stream: Int, from start: Int64, to end: Int64
    ) {
        for tenth in start * 10..<end * 10 {
            tracker.add(
                stream: stream, time: MediaTime(value: tenth, timescale: 10), duration: 0.1)
        }
    }

    @Test("a clock that runs on is one epoch, which starts where it starts")
    func straight() {
        var tracker = EpochTracker()
        add(&tracker, 0, from: 100, to: 110)
        add(&tracker, 1, from: 101, to: 111)
        #expect(tracker.offsets == [.zero] && tracker.switches.isEmpty)
    }

    @Test("a jump back begins an epoch that follows without a gap")
    func wrap() {
        var tracker = EpochTracker()
        add(&tracker, 0, from: 95_440, to: 95_443)
        add(&tracker, 0, from: 0, to: 5)
        #expect(tracker.offsets == [.zero, 95_443])
        #expect(tracker.switches == [0: [.init(ordinal: 30, epoch: 1)]])
        #expect(tracker.epoch(of: 0) == 1)
    }

    @Test("streams that jump one after the other join the same epoch")
    func joined() {
        var tracker = EpochTracker()
        add(&tracker, 0, from: 0, to: 2)
        add(&tracker, 1, from: 0, to: 2)
        add(&tracker, 0, from: 1000, to: 1002)
        add(&tracker, 1, from: 1000, to: 1002)
        add(&tracker, 2, from: 1001, to: 1002)
        #expect(tracker.offsets == [.zero, -998])
        #expect(tracker.switches[1] == [.init(ordinal: 20, epoch: 1)])
        #expect(tracker.switches[2] == [.init(ordinal: 0, epoch: 1)])
    }

    @Test("steps within the limits are no jumps")
    func small() {
        var tracker = EpochTracker()
        for time: MediaTime in [0, 9.5, 9.45, 19.4] {
            tracker.add(stream: 0, time: time, duration: 0)
        }
        #expect(tracker.offsets.count == 1)
        tracker.add(stream: 0, time: 19.2, duration: 0)
        #expect(tracker.offsets.count == 2)
    }

    @Test("pictures out of order whose decoding times are unknown are no jump")
    func reordered() {
        var tracker = EpochTracker()
        let first: [(MediaTime?, MediaTime)] = [
            (nil, 0.08), (nil, 0.24), (0.08, 0.16), (0.12, 0.12), (0.16, 0.2),
        ]
        for (time, shown) in first {
            tracker.add(stream: 0, time: time, shown: shown, duration: 0.04)
        }
        #expect(tracker.offsets == [.zero])
        tracker.add(stream: 0, time: nil, shown: 60, duration: 0.04)
        #expect(tracker.offsets.count == 2)
    }

    @Test("the timeline gives every packet the offset of its epoch")
    func timeline() {
        let timeline = SourceTimeline(
            offsets: [0, 50, 80],
            switches: [0: [.init(ordinal: 3, epoch: 1), .init(ordinal: 5, epoch: 2)]])
        let offsets = (0..<7).map { timeline.offset(stream: 0, ordinal: $0) }
        #expect(offsets == [0, 0, 0, 50, 50, 80, 80])
        #expect(timeline.offset(stream: 1, ordinal: 6) == 0)
        #expect(SourceTimeline.straight.offset(stream: 0, ordinal: 9) == 0)
    }

    @Test("a clock that jumps with every packet is followed in time that grows evenly")
    func hostile() {
        let growth = WorkGrowth(from: 1000, to: 8000) { jumps in
            var tracker = EpochTracker()
            for place in 0..<jumps {
                let time = MediaTime(seconds: Int64(place) * 1000)
                tracker.add(stream: 0, time: time, duration: 0)
            }
            #expect(tracker.offsets.count == jumps)
        }
        #expect(growth.factor < 24)
        #expect(growth.seconds < 1)
    }
}

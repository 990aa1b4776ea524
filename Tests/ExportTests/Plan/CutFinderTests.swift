import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("Where cuts begin and end")
struct CutFinderTests {
    private typealias Packet = (pts: Int64?, dts: Int64?, isKey: Bool)

    private func entry(
        _ packets: [Packet], latest: Int64, reorder: Int64? = 0, trustsFirst: Bool = true
    ) -> EntryFinder.Entry? {
        var finder = EntryFinder(latest: latest, reorder: reorder, trustsFirst: trustsFirst)
        for packet in packets {
            guard finder.take(pts: packet.pts, dts: packet.dts, isKey: packet.isKey) else { break }
        }
        return finder.entry
    }

    private let group: [Packet] = [
        (3, 1, true), (1, 1, false), (2, 2, false), (6, 3, false), (4, 4, false), (9, 6, true),
        (7, 7, false), (8, 8, false), (12, 9, false),
    ]

    @Test("a cut begins with the last key packet that is shown in time")
    func lastInTime() {
        #expect(entry(group, latest: 8)?.ticks == 3)
        #expect(entry(group, latest: 9)?.ticks == 9)
        #expect(entry(group, latest: 2) == nil)
    }

    @Test("the first packet behind a search within bytes is no key packet")
    func firstAfterSearch() {
        #expect(entry(group, latest: 8, trustsFirst: false) == nil)
        #expect(entry(group, latest: 9, trustsFirst: false)?.ticks == 9)
    }

    @Test("a key packet without a presentation time counts when it is surely in time")
    func vague() {
        let packets: [Packet] = [(nil, 1, true), (2, 2, false), (nil, 10, true), (20, 20, false)]
        #expect(entry(packets, latest: 10, reorder: 5)?.ticks == 1)
        #expect(entry(packets, latest: 10, reorder: 5)?.isPresentation == false)
        #expect(entry(packets, latest: 15, reorder: 5)?.ticks == 10)
        #expect(entry(packets, latest: 15, reorder: nil) == nil)
    }

    @Test("each attempt goes further back than the one before")
    func steps() {
        var steps = EntrySteps(start: 100, tick: 0.001)
        #expect(steps.next(after: nil) == 100)
        #expect(steps.next(after: 99.5) == 99)
        #expect(steps.next(after: 90) == 89.999)
        #expect(steps.next(after: 89.9) == 84)
        #expect(steps.next(after: 83) == 36)
    }

    @Test("pictures without times are counted from the source's start, not from the cut's")
    func countsFromSource() {
        var clock = FrameClock(
            PlanFixture.timing(timescale: 100),
            PlanFixture.segment(start: 0.1, duration: 0.08, isWhole: false),
            sourceTick: 0.01, rate: Ratio(25, 1), isTimed: false)
        let placed = (0..<6).map { _ in clock.place(nil) }
        #expect(placed == [.hold, .hold, .hold, .show(at: 2), .show(at: 6), .past])
    }

    @Test("sound without times is counted from the source's start")
    func countsSound() {
        var clock = SoundClock(
            sampleRate: 1000, duration: 1, sourceTick: 0.001, first: MediaTime(seconds: -0.25))
        #expect(clock.place(nil, count: 100) == .init(drop: 100))
        #expect(clock.place(nil, count: 100) == .init(drop: 100))
        #expect(clock.place(nil, count: 100) == .init(drop: 50, keep: 50))
        #expect(clock.place(nil, count: 100) == .init(keep: 100))
    }
}

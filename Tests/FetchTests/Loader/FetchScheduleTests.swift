import TakeupFiles
import Testing

@testable import TakeupFetch

@Suite("Fetch schedule")
struct FetchScheduleTests {
    private static let mega: Int64 = 1 << 20
    private let mega = Self.mega

    private func demand(
        _ present: [Range<Int64>] = [], length: Int64? = 100 << 20, waiting: [Int64] = [],
        positions: [Int64] = []
    ) -> FetchSchedule.Demand {
        FetchSchedule.Demand(
            present: RangeSet(present), length: length, waiting: waiting, positions: positions)
    }

    @Test("asks for more each time while it goes straight on, and for little after a jump")
    func grows() {
        var schedule = FetchSchedule()
        var present = RangeSet()
        var sizes: [Int64] = []
        var place: Int64 = 0
        for _ in 0..<8 {
            let step = schedule.next(
                demand(present.ranges, length: 1 << 40, positions: [place]))
            guard case .fetch(let from, let end?) = step, from == place else {
                Issue.record("\(step)")
                return
            }
            sizes.append(end - from)
            present.insert(from..<end)
            schedule.ended(at: end)
            place = end
        }
        #expect(sizes.map { $0 / mega } == [1, 2, 4, 8, 16, 32, 64, 64])
        let jump = schedule.next(demand(present.ranges, length: 1 << 40, waiting: [1 << 39]))
        #expect(jump == .fetch(from: 1 << 39, to: (1 << 39) + mega / 4))
    }

    @Test("never asks for what is here, nor beyond the end")
    func staysInGaps() {
        var schedule = FetchSchedule()
        #expect(
            schedule.next(demand([0..<10, 500..<900], length: 700_000, waiting: [10]))
                == .fetch(from: 10, to: 500))
        #expect(
            schedule.next(demand([0..<900], length: 1000, positions: [0]))
                == .fetch(from: 900, to: 1000))
        #expect(schedule.next(demand([0..<1000], length: 1000, positions: [0])) == .rest)
    }

    @Test("who waits longest comes first; after a yield whoever is elsewhere")
    func isFair() {
        var schedule = FetchSchedule()
        let two = demand(waiting: [5 * mega, 50 * mega])
        #expect(schedule.next(two) == .fetch(from: 5 * mega, to: 5 * mega + 256 << 10))
        schedule.ended(at: 5 * mega, hasYielded: true)
        #expect(schedule.next(two) == .fetch(from: 50 * mega, to: 50 * mega + 256 << 10))
    }

    @Test("fills the gaps behind the readers when all ahead of them is here")
    func fillsGaps() {
        var schedule = FetchSchedule()
        #expect(
            schedule.next(demand([9 * mega..<100 * mega], positions: [50 * mega]))
                == .fetch(from: 0, to: mega))
    }

    @Test("stays within the window, and rests until half of it is used")
    func keepsWindow() {
        var schedule = FetchSchedule()
        var here = demand([0..<1 * mega], positions: [0])
        here.aheadBytes = mega
        #expect(schedule.next(here) == .rest)
        here.positions = [mega / 4]
        #expect(schedule.next(here) == .rest)
        here.positions = [mega / 2 + 1]
        #expect(schedule.next(here) == .fetch(from: mega, to: mega + mega / 2 + 1))
        here.wantsAll = true
        #expect(schedule.next(here) == .fetch(from: mega, to: 2 * mega))
    }

    @Test("an origin that ignores ranges is asked once for everything")
    func withoutRanges() {
        var schedule = FetchSchedule()
        var here = demand([0..<mega], waiting: [50 * mega])
        here.honoursRanges = false
        #expect(schedule.next(here) == .fetch(from: mega, to: nil))
        let yields = FetchSchedule.yields(
            here, position: mega, end: nil, bytes: 0, seconds: 100)
        #expect(!yields)
    }

    @Test(
        "a transfer gives way after its quantum, at once when nobody waits for it, not for its last bytes",
        arguments: [
            ([2 * mega], 50 * mega, 100_000, 0.1, false),
            ([20 * mega], 50 * mega, 100_000, 0.1, true),
            ([2 * mega, 20 * mega], 50 * mega, 100_000, 0.1, false),
            ([2 * mega, 20 * mega], 50 * mega, 300_000, 0.1, true),
            ([2 * mega, 20 * mega], 50 * mega, 0, 0.6, true),
            ([20 * mega], 2 * mega + 1000, 100_000, 0.1, false),
            ([20 * mega], 2 * mega + 1000, 100_000, 0.6, true),
            ([20 * mega], 4 * mega, 100 << 20, 0.1, false),
            ([], 50 * mega, 100 << 20, 9, false),
        ] as [([Int64], Int64, Int64, Double, Bool)])
    func yields(waiting: [Int64], end: Int64, bytes: Int64, seconds: Double, expected: Bool) {
        let yields = FetchSchedule.yields(
            demand(waiting: waiting), position: 2 * mega, end: end, bytes: bytes, seconds: seconds)
        #expect(yields == expected)
    }
}

import TakeupFiles
import TestSupport
import Testing

import TakeupFetch

@Suite("Range plan")
struct RangePlanTests {
    @Test("splits a read into what is on disk and what is not")
    func example() {
        let plan = RangePlan(read: 0..<1000, present: RangeSet([200..<500, 700..<800]))
        #expect(
            plan.parts == [
                .origin(0..<200), .disk(200..<500), .origin(500..<700), .disk(700..<800),
                .origin(800..<1000),
            ])
    }

    @Test("asks for nothing when all is here, and for all when nothing is")
    func extremes() {
        #expect(RangePlan(read: 5..<9, present: RangeSet([0..<10])).parts == [.disk(5..<9)])
        #expect(RangePlan(read: 5..<9, present: RangeSet()).parts == [.origin(5..<9)])
        #expect(RangePlan(read: 5..<5, present: RangeSet([0..<10])).parts.isEmpty)
    }

    @Test("tells what must come from the origin, up to the largest offset")
    func origin() {
        let plan = RangePlan(read: 10..<950, present: RangeSet([200..<250, 400..<600]))
        #expect(plan.originRanges == [10..<200, 250..<400, 600..<950])
        let last = RangePlan(read: 0..<Int64.max, present: RangeSet([0..<5]))
        #expect(last.originRanges == [5..<Int64.max])
    }

    @Test(
        "is exact, without overlap, and with the fewest parts", arguments: [UInt64(20_261_121)])
    func property(seed: UInt64) {
        var random = SeededRandom(state: seed)
        for round in 0..<10_000 {
            let (present, bytes) = interval(&random)
            let start = Int64.random(in: 0..<200, using: &random)
            let read = start..<Int64.random(in: start...200, using: &random)
            let plan = RangePlan(read: read, present: present)
            if let fault = fault(in: plan, read: read, bytes: bytes) {
                Issue.record("seed \(seed), round \(round): \(fault)")
                return
            }
        }
    }

    /// What is wrong with a plan, by a model that knows each byte.
    private func fault(in plan: RangePlan, read: Range<Int64>, bytes: [Bool]) -> String? {
        var position = read.lowerBound
        var wasOrigin: Bool?
        for part in plan.parts {
            let (range, isOrigin) =
                switch part {
                case .disk(let range): (range, false)
                case .origin(let range): (range, true)
                }
            guard range.lowerBound == position, !range.isEmpty else { return "hole or overlap" }
            guard wasOrigin != isOrigin else { return "two parts where one would do" }
            guard range.allSatisfy({ bytes[Int($0)] != isOrigin }) else { return "wrong source" }
            (position, wasOrigin) = (range.upperBound, isOrigin)
        }
        return position == read.upperBound ? nil : "too short"
    }

    /// A random set after random changes, and the same as a row of bytes.
    private func interval(_ random: inout SeededRandom) -> (RangeSet, [Bool]) {
        var set = RangeSet()
        var bytes = Array(repeating: false, count: 200)
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            let start = Int64.random(in: 0..<200, using: &random)
            let end = Int64.random(in: start...min(200, start + 60), using: &random)
            let isRemoved = Int.random(in: 0..<4, using: &random) == 0
            if isRemoved { set.remove(start..<end) } else { set.insert(start..<end) }
            for byte in start..<end { bytes[Int(byte)] = !isRemoved }
        }
        return (set, bytes)
    }
}

import TakeupLanes
import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("ProgressMeter")
struct ProgressMeterTests {
    private let told = Locked<[Double]>([])

    private func meter() -> ProgressMeter {
        ProgressMeter(interval: .zero) { [told] progress in
            told.withLock { $0.append(progress.fraction) }
        }
    }

    /// Whether what was told since the last call rises with every report.
    private func rises() -> Bool {
        let fractions = told.withLock { told in
            defer { told = told.suffix(1) }
            return told
        }
        return fractions.count > 2 && zip(fractions, fractions.dropFirst(2)).allSatisfy { $0 < $1 }
            && fractions.allSatisfy { $0 <= 1 }
    }

    private func work(_ meter: ProgressMeter) {
        for second in 1...4 { meter.reach(MediaTime(value: Int64(second), timescale: 1)) }
    }

    @Test("rises with each step, with one that is done again, and with one that comes late")
    func always() {
        let meter = meter()
        meter.begin(.encode, from: 0.01, to: 0.8, total: 4)
        work(meter)
        #expect(rises())
        for _ in 1...3 {
            meter.again()
            work(meter)
            #expect(rises())
        }
        meter.begin(.encode, from: 0.01, to: 0.8, total: 4)
        work(meter)
        #expect(rises())
        meter.begin(.verify, from: 0.8, to: 0.98, total: 4)
        work(meter)
        #expect(rises())
        meter.begin(.finish, from: 1, to: 1)
        #expect(told.withLock { $0.last } == 1)
    }
}

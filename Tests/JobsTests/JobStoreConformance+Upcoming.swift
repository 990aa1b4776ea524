import TakeupJobs
import TestSupport
import Testing

extension JobStoreConformance {
    @Test("tells what will be claimed next, in that order", arguments: StoreKind.allCases, 1...5)
    func upcoming(kind: StoreKind, seed: Int) throws {
        let trial = try StoreTrial(kind, seed: UInt64(seed))
        var random = SeededRandom(state: UInt64(seed))
        #expect(try trial.store.upcoming(limit: 9, in: ClaimScope()) == [])
        for number in 0..<30 {
            try trial.add("\(number)", priority: Int(random.next() % 5) - 2)
            trial.clock.now += Double(random.next() % 80)
            guard number % 7 == 6, let lease = try trial.claim() else { continue }
            let delay = Double(random.next() % 400)
            _ = try trial.store.finish(lease, .returned(note: nil, delaySeconds: delay))
        }
        for limit in [1, 3, 20] {
            let told = try trial.store.upcoming(limit: limit, in: ClaimScope()).map(\.id)
            #expect(told.count == min(limit, try waiting(trial)))
            let claimed = try told.map { _ in try trial.claim()?.job }
            #expect(told == claimed)
        }
        #expect(try trial.store.upcoming(limit: 0, in: ClaimScope()) == [])
    }

    private func waiting(_ trial: borrowing StoreTrial) throws -> Int {
        try trial.store.jobs(JobFilter(states: [.queued, .scheduled]))
            .count { $0.runAt <= trial.clock.now }
    }

    @Test("does not name what waits for its time or its work", arguments: StoreKind.allCases)
    func upcomingWaits(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let (a, b) = (try trial.running("a"), try trial.running("b"))
        #expect(try trial.store.begin(a, workKey: "same") == .admitted)
        let busy = JobOutcome.returned(note: "waits", delaySeconds: 0, workKey: "same")
        _ = try trial.store.finish(b, busy)
        let later = try trial.running("c")
        _ = try trial.store.finish(later, .returned(note: nil, delaySeconds: 60))
        try trial.add("d")
        #expect(try trial.store.upcoming(limit: 9, in: ClaimScope()).map(\.id.rawValue) == ["d"])
        _ = try trial.store.finish(a, .succeeded(StoreTrial.result))
        trial.clock.now += 60
        #expect(
            try trial.store.upcoming(limit: 9, in: ClaimScope()).map(\.id.rawValue) == [
                "b", "c", "d",
            ])
    }
}

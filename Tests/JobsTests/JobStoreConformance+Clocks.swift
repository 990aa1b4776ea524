import TakeupJobs
import Testing

extension JobStoreConformance {
    private static let year = 365.0 * 86_400

    @Test("a wait that a clock ahead has noted is counted anew", arguments: StoreKind.allCases)
    func clockWasAhead(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        trial.clock.now += Self.year
        let lease = try trial.running("a")
        _ = try trial.store.finish(lease, .returned(note: nil, delaySeconds: 60))
        let (dead, alive) = (try trial.running("dead", worker: "w2"), try trial.running("alive"))
        #expect(try trial.store.settleClock() == 0)
        trial.clock.now -= Self.year
        #expect(try trial.claim() == nil)
        #expect(try trial.store.settleClock() == 3)
        #expect(try trial.store.settleClock() == 0)
        #expect(try trial.store.secondsToNext() == 60)
        trial.clock.now += 20
        #expect(try trial.store.renew([Heartbeat(alive)], leaseSeconds: 30) == [.kept])
        trial.clock.now += 10
        #expect(try trial.store.rescue(deadWorkers: []).map(\.lease) == [dead])
        trial.clock.now += 30
        #expect(try trial.drain().sorted() == ["a", "dead"])
    }

    @Test("what was accepted by a clock ahead is overdue in time", arguments: StoreKind.allCases)
    func acceptedAhead(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        trial.clock.now += Self.year
        try trial.add("a", priority: -1000)
        trial.clock.now -= Self.year
        #expect(try trial.store.settleClock() == 1)
        #expect(try trial.record("a").runAt == trial.clock.now)
    }

    @Test("a lease that its worker holds does not run out", arguments: StoreKind.allCases)
    func heldLeases(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let (own, other) = (try trial.running("own"), try trial.running("other", worker: "w2"))
        trial.clock.now += 3600
        let unsteady = try trial.store.rescue(
            deadWorkers: [], held: [own.token], takesExpired: false)
        #expect(unsteady.isEmpty)
        let steady = try trial.store.rescue(
            deadWorkers: [], held: [own.token], takesExpired: true)
        #expect(steady.map(\.lease) == [other])
        #expect(try trial.store.renew([Heartbeat(own)], leaseSeconds: 30) == [.kept])
        #expect(try trial.store.finish(own, .succeeded(StoreTrial.result)) == .succeeded)
    }

    @Test("retries of one priority go by their time", arguments: StoreKind.allCases)
    func dueOrder(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        for (id, priority, delay) in [("a", 0, 30.0), ("b", 0, 10), ("c", 5, 50), ("d", -5, 1)] {
            try trial.add(id, priority: priority)
            let lease = try #require(try trial.claim())
            _ = try trial.store.finish(lease, .returned(note: nil, delaySeconds: delay))
        }
        trial.clock.now += 40
        try trial.add("e")
        #expect(
            try trial.store.upcoming(limit: 9, in: ClaimScope()).map(\.id.rawValue) == [
                "b", "a", "e", "d",
            ])
        trial.clock.now += 20
        #expect(try trial.drain() == ["c", "b", "a", "e", "d"])
    }
}

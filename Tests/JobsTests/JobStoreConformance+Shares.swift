import TakeupJobs
import TestSupport
import Testing

/// Which of many jobs goes first: keys, groups that ask for different things, what has waited for long.
extension JobStoreConformance {
    @Test("no more jobs of a key run at once than may", arguments: StoreKind.allCases)
    func limits(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit(
            (0..<4).map { Self.spec("k\($0)", key: "k") } + [Self.spec("other", key: "l")])
        let scope = ClaimScope(mostPerKey: 2)
        func claim() throws -> Lease? {
            try trial.store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30, in: scope)?.0
        }
        var leases: [Lease] = []
        while let lease = try claim() { leases.append(lease) }
        #expect(Set(leases.map(\.job.rawValue)) == ["k0", "k1", "other"])
        let first = try #require(leases.first { $0.job.rawValue == "k0" })
        _ = try trial.store.finish(first, .failed(StoreTrial.fault, retryable: true))
        #expect(try claim()?.job.rawValue == "k2")
        // Its retry waits for a place, too.
        trial.clock.now += 3600
        #expect(try claim() == nil)
    }

    @Test("a key with a thousand jobs leaves room for another's", arguments: StoreKind.allCases)
    func shares(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit((0..<1000).map { Self.spec("big\($0)", key: "big") })
        _ = try trial.store.submit((0..<3).map { Self.spec("small\($0)", key: "small") })
        _ = try trial.store.submit([Self.spec("urgent", key: "big", priority: 9)])
        var order: [String] = []
        for _ in 0..<8 { order.append(try #require(try trial.claim()).job.rawValue) }
        #expect(
            order == ["urgent", "small0", "big0", "small1", "big1", "small2", "big2", "big3"])
    }

    @Test("jobs without a key take turns with those of a key", arguments: StoreKind.allCases)
    func withoutKey(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit((0..<3).map { Self.spec("k\($0)", key: "k") })
        _ = try trial.store.submit((0..<3).map { Self.spec("n\($0)") })
        var order: [String] = []
        while let lease = try trial.claim() { order.append(lease.job.rawValue) }
        #expect(order == ["k0", "n0", "k1", "n1", "k2", "n2"])
    }

    @Test("keys share workers that all look at once", arguments: StoreKind.allCases)
    func herd(kind: StoreKind) async throws {
        let trial = try StoreTrial(kind)
        for key in ["k", "l"] {
            _ = try trial.store.submit((0..<8).map { Self.spec("\(key)\($0)", key: key) })
        }
        let taken = try await Self.herd(of: 8, trial)
        #expect(taken.count == 8)
        let shares = ["k", "l"].map { key in taken.count { $0.hasPrefix(key) } }
        // One writer counts exactly what runs; of several at once each sees what was committed.
        #expect(kind == .sqlite ? shares == [4, 4] : shares.allSatisfy { $0 > 0 }, "\(shares)")
    }

    @Test("workers that all look at once take urgent jobs first", arguments: StoreKind.allCases)
    func urgentHerd(kind: StoreKind) async throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit((0..<4).map { Self.spec("late\($0)", key: "k\($0)") })
        _ = try trial.store.submit((0..<8).map { Self.spec("urgent\($0)", priority: 9) })
        let taken = try await Self.herd(of: 8, trial)
        #expect(taken.count == 8 && taken.allSatisfy { $0.hasPrefix("urgent") }, "\(taken)")
    }

    /// What so many workers take that look at the same time.
    private static func herd(of count: Int, _ trial: borrowing StoreTrial) async throws -> Set<
        String
    > {
        let stores = try (0..<count).map { _ in try trial.again() }
        return try await withThrowingTaskGroup(of: String?.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    // Somebody else may be faster, as on a busy machine.
                    for _ in 0..<100 {
                        let worker = WorkerID(rawValue: "w\(number)")
                        if let (lease, _) = try store.claim(by: worker, leaseSeconds: 30) {
                            return lease.job.rawValue
                        }
                    }
                    return nil
                }
            }
            return try await group.reduce(into: []) { if let id = $1 { $0.insert(id) } }
        }
    }

    @Test(
        "a job that waits for the same work is looked for at its time",
        arguments: StoreKind.allCases)
    func blockedStart(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let store = try #require(trial.store as? SQLJobStore)
        let (a, b) = (try trial.running("a"), try trial.running("b"))
        #expect(try store.begin(a, workKey: "same") == .admitted)
        _ = try store.finish(b, .returned(note: nil, delaySeconds: 0.5, workKey: "same"))
        #expect(try trial.claim() == nil)
        #expect(!store.isBlocked && store.secondsToKnownStart == 0.5)
        trial.clock.now += 1
        #expect(try trial.claim() == nil)
        #expect(store.isBlocked && store.secondsToKnownStart == nil)
    }

    @Test("a full key hides no start of another job", arguments: StoreKind.allCases)
    func startBehindFullKey(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let store = try #require(trial.store as? SQLJobStore)
        _ = try store.submit([Self.spec("k0", key: "k"), Self.spec("k1", key: "k")])
        let scope = ClaimScope(mostPerKey: 1)
        func claim() throws -> Lease? {
            try store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30, in: scope)?.0
        }
        #expect(try claim()?.job.rawValue == "k0")
        _ = try store.submit([Self.spec("later")])
        let later = try #require(try claim())
        _ = try store.finish(later, .returned(note: nil, delaySeconds: 0.5))
        #expect(try claim() == nil)
        #expect(store.isBlocked && store.secondsToKnownStart == 0.5)
    }

    @Test(
        "among jobs that ask for different things, priority and acceptance decide",
        arguments: StoreKind.allCases)
    func groups(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit([
            Self.spec("a0", queue: "a"), Self.spec("gpu0", tags: ["gpu"]), Self.spec("plain0"),
            Self.spec("b5", queue: "b", priority: 5), Self.spec("a1", queue: "a"),
            Self.spec("gpu5", tags: ["gpu"], priority: 5), Self.spec("x9", queue: "x", priority: 9),
        ])
        let scope = ClaimScope(queues: ["a", "b", "default"], tags: ["gpu"])
        func claim() throws -> Lease? {
            try trial.store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30, in: scope)?.0
        }
        // A job whose time has come goes with its priority and its place in the order of acceptance.
        let first = try #require(try claim())
        #expect(first.job.rawValue == "b5")
        _ = try trial.store.finish(first, .returned(note: nil, delaySeconds: 60))
        #expect(try trial.store.upcoming(limit: 2, in: scope).map(\.id.rawValue) == ["gpu5", "a0"])
        trial.clock.now += 61
        let told = try trial.store.upcoming(limit: 9, in: scope).map(\.id.rawValue)
        #expect(told == ["b5", "gpu5", "a0", "gpu0", "plain0", "a1"])
        #expect(try Self.drain(trial.store, scope) == told)
        #expect(try Self.drain(trial.store, ClaimScope(tags: ["gpu"])) == ["x9"])
    }

    @Test(
        "what has waited for long goes first, whatever it asks for", arguments: StoreKind.allCases)
    func overdueGroups(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit([Self.spec("other", queue: "x"), Self.spec("old", queue: "a")])
        trial.clock.now += 1000
        _ = try trial.store.submit((0..<8).map { Self.spec("new\($0)", key: "k", priority: 9) })
        let scope = ClaimScope(queues: ["a", "default"])
        var order: [String] = []
        for _ in 0..<4 {
            let lease = try trial.store.claim(
                by: WorkerID(rawValue: "w"), leaseSeconds: 30, in: scope)?.0
            order.append(try #require(lease).job.rawValue)
        }
        #expect(order.contains("old") && order.count { $0.hasPrefix("new") } == 3)
    }
}

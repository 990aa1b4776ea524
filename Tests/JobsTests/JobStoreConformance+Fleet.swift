import Foundation
import TakeupJobs
import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

/// Queues, tags, keys and the register of workers.
extension JobStoreConformance {
    private static func spec(
        _ id: String, queue: String? = nil, tags: [String] = [], key: String? = nil,
        priority: Int = 0
    ) -> JobSpec {
        var spec = StoreTrial.spec(id, priority: priority, source: "/in/\(id).mov")
        (spec.queue, spec.tags, spec.key) = (queue, tags, key)
        return spec
    }

    private static func drain(_ store: any JobStore, _ scope: ClaimScope) throws -> [String] {
        var order: [String] = []
        while let (lease, _) = try store.claim(
            by: WorkerID(rawValue: "w"), leaseSeconds: 30, in: scope)
        {
            order.append(lease.job.rawValue)
            _ = try store.finish(lease, .succeeded(StoreTrial.result))
        }
        return order
    }

    @Test(
        "a worker takes the jobs of its queues, and no job that asks for what it lacks",
        arguments: StoreKind.allCases)
    func scopes(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let answers = try trial.store.submit([
            Self.spec("gpu", tags: ["gpu"]), Self.spec("both", queue: "a", tags: ["gpu", "big"]),
            Self.spec("plain"), Self.spec("a", queue: "a"), Self.spec("b", queue: "b"),
        ])
        #expect(answers == Array(repeating: .accepted, count: 5))
        #expect(try Self.drain(trial.store, ClaimScope(queues: ["b"])) == ["b"])
        #expect(try Self.drain(trial.store, ClaimScope(queues: ["c"])) == [])
        #expect(try Self.drain(trial.store, ClaimScope(queues: ["a"], tags: ["gpu"])) == ["a"])
        #expect(try Self.drain(trial.store, ClaimScope(queues: ["default"])) == ["plain"])
        #expect(try Self.drain(trial.store, ClaimScope()) == [])
        #expect(
            try Self.drain(trial.store, ClaimScope(tags: ["gpu", "big", "x"])) == ["gpu", "both"])
        let record = try #require(try trial.store.job(JobID(rawValue: "both")))
        #expect(record.spec.queue == "a" && record.spec.tags == ["gpu", "big"])
    }

    @Test(
        "what waits and runs is told by what it asks for", arguments: StoreKind.allCases)
    func demands(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit([
            Self.spec("one"), Self.spec("two", queue: "default"), Self.spec("gpu", tags: ["gpu"]),
            Self.spec("a", queue: "a"), Self.spec("b", queue: "a"), Self.spec("done", queue: "d"),
        ])
        let done = ClaimScope(queues: ["d"])
        #expect(try Self.drain(trial.store, done) == ["done"])
        let running = try trial.store.claim(
            by: WorkerID(rawValue: "w"), leaseSeconds: 30, in: ClaimScope(queues: ["a"]))
        #expect(running?.0.job.rawValue == "a")
        let demands = try trial.store.demands()
        #expect(
            demands.map { "\($0.queue) \($0.tags) \($0.count)" }
                == ["default [] 2", "default [\"gpu\"] 1", "a [] 2"])
        let scope = ClaimScope(queues: ["default"])
        #expect(demands.map(scope.accepts) == [true, false, false])
    }

    @Test("a worker passes over jobs that it leaves to others", arguments: StoreKind.allCases)
    func left(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit([
            Self.spec("big", key: "k", priority: 9), Self.spec("small", key: "k"),
        ])
        var scope = ClaimScope()
        scope.leftJobs = [JobID(rawValue: "big")]
        #expect(try Self.drain(trial.store, scope) == ["small"])
        // Not looked for again and again either.
        let store = try #require(trial.store as? SQLJobStore)
        #expect(store.secondsToKnownStart == nil)
        #expect(try Self.drain(trial.store, ClaimScope()) == ["big"])
    }

    @Test("a look at jobs that the worker may not take is no claim", arguments: StoreKind.allCases)
    func idleLooks(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let store = try #require(trial.store as? SQLJobStore)
        _ = try store.submit([
            Self.spec("gpu", tags: ["gpu"], priority: 9), Self.spec("a", queue: "a"),
            Self.spec("k0", key: "k"), Self.spec("k1", key: "k"),
        ])
        let scope = ClaimScope(queues: ["default"], mostPerKey: 1)
        func claim() throws -> Lease? {
            try store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30, in: scope)?.0
        }
        let first = try #require(try claim())
        for _ in 0..<10 { #expect(try claim() == nil) }
        // The other job of the key may start when this one ends.
        #expect(store.isBlocked && store.secondsToKnownStart == nil)
        _ = try store.finish(first, .succeeded(StoreTrial.result))
        let second = try #require(try claim())
        #expect([first, second].map(\.job.rawValue) == ["k0", "k1"])
        #expect(second.token == first.token + 1)
        for _ in 0..<10 { #expect(try claim() == nil) }
        #expect(!store.isBlocked && store.secondsToKnownStart == nil)
        #expect(try Self.drain(store, ClaimScope(queues: ["z"])) == [])
        #expect(store.secondsToKnownStart == nil)
    }

    @Test("a retry of a job keeps its queue", arguments: StoreKind.allCases)
    func scopedRetry(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit([Self.spec("a", queue: "a")])
        let scope = ClaimScope(queues: ["a"])
        let lease = try #require(
            try trial.store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30, in: scope)?.0)
        _ = try trial.store.finish(lease, .failed(StoreTrial.fault, retryable: true))
        trial.clock.now += 3600
        #expect(try Self.drain(trial.store, ClaimScope(queues: ["b"])) == [])
        #expect(try Self.drain(trial.store, scope) == ["a"])
    }

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
        let stores = try (0..<8).map { _ in try trial.again() }
        let taken = try await withThrowingTaskGroup(of: String?.self) { group in
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
            return try await group.reduce(into: []) { $0 += [$1] }.compactMap(\.self)
        }
        #expect(Set(taken).count == 8)
        let shares = ["k", "l"].map { key in taken.count { $0.hasPrefix(key) } }
        // One writer counts exactly what runs; of several at once each sees what was committed.
        #expect(kind == .sqlite ? shares == [4, 4] : shares.allSatisfy { $0 > 0 }, "\(shares)")
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

    @Test("names that no queue can have are refused", arguments: ["", "a b", "a,b", "a'b", "ü"])
    func badNames(name: String) throws {
        let trial = try StoreTrial(.sqlite)
        let answers = try trial.store.submit([
            Self.spec("q", queue: name), Self.spec("t", tags: [name]), Self.spec("k", key: name),
        ])
        for answer in answers {
            guard case .refused = answer else {
                Issue.record("\(answer)")
                continue
            }
        }
    }

    @Test("workers tell of themselves until they end", arguments: StoreKind.allCases)
    func register(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let store = try #require(trial.store as? SQLJobStore)
        func entry(_ id: String, _ state: WorkerEntry.State, running: Int = 0) -> WorkerEntry {
            WorkerEntry(
                id: WorkerID(rawValue: id), host: "h", process: 7, version: "1", state: state,
                lanes: 2, running: running, scope: ClaimScope(queues: ["a", "b"], tags: ["gpu"]))
        }
        #expect(try store.register(entry("one", .working)))
        trial.clock.now += 40
        #expect(try store.register(entry("two", .working)))
        trial.clock.now += 10
        #expect(try store.register(entry("two", .draining, running: 1)))
        let (workers, time) = try store.workers()
        #expect(workers.map(\.id.rawValue) == ["one", "two"])
        #expect(workers.map { $0.isAlive(at: time) } == [false, true])
        #expect(workers[1].state == .draining && workers[1].running == 1)
        #expect(workers[1].seenAt - workers[1].startedAt == 10)
        #expect(workers[0].scope == ClaimScope(queues: ["a", "b"], tags: ["gpu"]))
        try store.unregister(WorkerID(rawValue: "two"))
        trial.clock.now += WorkerEntry.forgottenSeconds
        try store.pruneWorkers()
        #expect(try store.workers().workers.isEmpty)
    }

    @Test(
        "a worker whose database is of a later version may not claim", arguments: StoreKind.allCases
    )
    func outdated(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let store = try #require(trial.store as? SQLJobStore)
        let worker = WorkerEntry(
            id: WorkerID(rawValue: "w"), host: "h", process: 7, version: "1", state: .working,
            lanes: 1, running: 0, scope: ClaimScope())
        #expect(try store.register(worker))
        try kind.database(in: trial.folder.path).connect(.full)
            .execute("UPDATE migration SET version = version + 1 WHERE owner = 'jobs'")
        #expect(try !store.register(worker))
        // Nor does a door of an older version write into newer tables.
        #expect(throws: JobStoreError.self) { try store.submit([Self.spec("late")]) }
        #expect(throws: JobStoreError.self) { try store.depth() }
        #expect(try store.job(JobID(rawValue: "late")) == nil)
    }
}

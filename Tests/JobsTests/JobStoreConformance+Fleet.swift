import Foundation
import TakeupJobs
import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

/// Queues, tags, keys and the register of workers.
extension JobStoreConformance {
    static func spec(
        _ id: String, queue: String? = nil, tags: [String] = [], key: String? = nil,
        priority: Int = 0
    ) -> JobSpec {
        var spec = StoreTrial.spec(id, priority: priority, source: "/in/\(id).mov")
        (spec.queue, spec.tags, spec.key) = (queue, tags, key)
        return spec
    }

    static func drain(_ store: any JobStore, _ scope: ClaimScope) throws -> [String] {
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

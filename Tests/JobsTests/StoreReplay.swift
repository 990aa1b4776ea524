import TakeupJobs
import TestSupport
import Testing

/// Does the model's steps to a store.
struct StoreReplay: ~Copyable {
    static let ids = (0..<ModelStep.jobs).map { JobID(rawValue: "job \($0)") }

    let trial: StoreTrial
    private static let numbers = Dictionary(
        uniqueKeysWithValues: ids.enumerated().map { ($0.element, $0.offset) })

    init(_ kind: StoreKind, seed: UInt64) throws {
        trial = try StoreTrial(kind, seed: seed)
    }

    private static func number(_ id: JobID) throws -> Int { try #require(numbers[id]) }

    /// An empty slot stands for a lease that never was.
    func apply(_ step: ModelStep, _ held: ModelLease?) throws -> ModelAnswer {
        let store = trial.store
        let lease = Self.lease(held ?? ModelLease(job: 0, token: 0, worker: 0))
        switch step {
        case .wait(let seconds):
            trial.clock.now += seconds
            return .nothing
        case .submit(let job, let content, let priority, let retries):
            let spec = StoreTrial.spec(
                Self.ids[job].rawValue, priority: priority, retries: retries,
                source: "/in/\(content).mov")
            return .accepted(try #require(try store.submit([spec]).first))
        case .claim(let worker): return try claim(worker)
        case .renew:
            let answers = try store.renew(
                [Heartbeat(lease)], leaseSeconds: QueueModel.leaseSeconds)
            return .renewed(try #require(answers.first))
        case .begin(_, let work): return try begin(lease, work)
        case .announce: return .announced(try store.announce(lease, StoreTrial.publication))
        case .finish(_, let ending): return .ended(try store.finish(lease, ending.outcome))
        case .rescue(let dead):
            let workers = dead.map { [Self.worker($0)] } ?? []
            return .rescued(
                try store.rescue(deadWorkers: workers).map { try Self.number($0.lease.job) }
                    .sorted())
        case .cancel(let job): return .asked(try store.cancel(Self.ids[job]))
        case .retry(let job): return .asked(try store.retry(Self.ids[job]))
        case .prune(let seconds): return .pruned(try store.prune(olderThanSeconds: seconds))
        }
    }

    private func claim(_ worker: Int) throws -> ModelAnswer {
        let claimed = try trial.store.claim(
            by: Self.worker(worker), leaseSeconds: QueueModel.leaseSeconds)
        guard let (lease, record) = claimed else { return .nothing }
        #expect(record.state == .running && record.token == lease.token)
        let job = try Self.number(lease.job)
        return .claimed(ModelLease(job: job, token: lease.token, worker: worker))
    }

    private func begin(_ lease: Lease, _ work: Int) throws -> ModelAnswer {
        switch try trial.store.begin(lease, workKey: "work \(work)") {
        case .admitted: .admitted
        case .busy(let id): .busy(job: try Self.number(id))
        case .leaseLost: .leaseLost
        }
    }

    /// How the store's job differs from the model's; nil when it does not.
    func difference(_ job: Int, _ expected: QueueModel.Job) throws -> String? {
        guard let record = try trial.store.job(Self.ids[job]) else {
            return expected.isKnown ? "job \(job) is lost" : nil
        }
        guard expected.isKnown else { return "job \(job) is not forgotten" }
        guard record.machine == expected.machine else {
            return "job \(job) is \(record.machine), not \(expected.machine)"
        }
        let isWaiting = expected.isWaiting
        guard !isWaiting || record.runAt == expected.runAt else {
            return "job \(job) runs at \(record.runAt), not \(expected.runAt)"
        }
        guard record.leaseUntil == (expected.isRunning ? expected.leaseUntil : nil) else {
            return "job \(job) has a lease until \(String(describing: record.leaseUntil))"
        }
        return nil
    }

    private static func worker(_ number: Int) -> WorkerID { WorkerID(rawValue: "w\(number)") }

    private static func lease(_ lease: ModelLease) -> Lease {
        Lease(job: ids[lease.job], token: lease.token, worker: worker(lease.worker))
    }
}

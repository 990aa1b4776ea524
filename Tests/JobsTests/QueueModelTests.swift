import Foundation
import TakeupJobs
import TestSupport
import Testing

@Suite("Queue model")
struct QueueModelTests {
    static let steps = 1_000_000
    static let replayedSteps = 2000

    /// Of every run; `TAKEUP_MODEL_SEED` sets another.
    static let seed =
        ProcessInfo.processInfo.environment["TAKEUP_MODEL_SEED"]
        .flatMap { UInt64($0) } ?? 20_260_101

    @Test("keeps every promise over a million random steps")
    func promises() {
        var (model, ledger) = (QueueModel(now: 0, seed: Self.seed), QueueLedger())
        var random = SeededRandom(state: Self.seed)
        var late = 0
        for number in 0..<Self.steps {
            let step = ModelStep.random(&random)
            let lease = model.lease(of: step)
            let answer = model.apply(step)
            if lease != nil, answer == .ended(nil) { late += 1 }
            if let broken = ledger.check(step, lease, answer, model.jobs) {
                Issue.record("TAKEUP_MODEL_SEED=\(Self.seed), step \(number), \(step): \(broken)")
                return
            }
        }
        // The run went everywhere.
        #expect(ledger.seen == Set(JobState.allCases))
        #expect(late > Self.steps / 100)
    }

    @Test("is what a store does, step by step", arguments: StoreKind.allCases, 0..<5)
    func replay(kind: StoreKind, round: UInt64) throws {
        let seed = Self.seed &+ round
        let replay = try StoreReplay(kind, seed: seed)
        var model = QueueModel(now: replay.trial.clock.now, seed: seed)
        var random = SeededRandom(state: seed)
        for number in 0..<Self.replayedSteps {
            let step = ModelStep.random(&random)
            let lease = model.lease(of: step)
            let expected = model.apply(step)
            let answer = try replay.apply(step, lease)
            let place = "TAKEUP_MODEL_SEED=\(Self.seed), round \(round), step \(number), \(step)"
            guard answer == expected else {
                Issue.record("\(place): \(answer), not \(expected)")
                return
            }
            for job in Self.touched(step, lease, answer, isWholeQueue: number % 100 == 0) {
                guard let difference = try replay.difference(job, model.jobs[job]) else { continue }
                Issue.record("\(place): \(difference)")
                return
            }
        }
    }

    /// The jobs that a step may have changed.
    private static func touched(
        _ step: ModelStep, _ lease: ModelLease?, _ answer: ModelAnswer, isWholeQueue: Bool
    ) -> [Int] {
        guard !isWholeQueue else { return Array(0..<ModelStep.jobs) }
        switch step {
        case .submit(let job, _, _, _), .cancel(let job), .retry(let job): return [job]
        case .renew, .begin, .announce, .finish: return lease.map { [$0.job] } ?? []
        case .rescue, .prune: return Array(0..<ModelStep.jobs)
        case .wait: return []
        case .claim:
            guard case .claimed(let lease) = answer else { return [] }
            return [lease.job]
        }
    }
}

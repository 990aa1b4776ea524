import TakeupJobs
import TakeupLanes
import TakeupWorker

@testable import TakeupDaemon
@testable import takeup

/// A worker that does a real queue's jobs as a test says, one after another.
final class ScriptedWorker: Sendable {
    enum Wish: Int, Comparable {
        case working, draining, stopping

        static func < (left: Wish, right: Wish) -> Bool { left.rawValue < right.rawValue }
    }

    private let store: SQLJobStore
    private let isSilent: Bool
    private let holds: Bool
    private let outcome: @Sendable (JobSpec) -> JobOutcome
    private let events = AsyncStream.makeStream(of: WorkerEvent.self)
    private let wish = Locked(Wish.working)
    private let running = Locked<Task<Void, Never>?>(nil)
    private let figures = Locked(WorkerFigures())
    /// Jobs that it has begun.
    let begun = Locked<[String]>([])

    /// A silent one tells nothing, as a worker elsewhere; one that holds ends a job only once it drains, and gives
    /// it back once it stops.
    init(
        _ store: SQLJobStore, isSilent: Bool = false, holds: Bool = false,
        outcome: @escaping @Sendable (JobSpec) -> JobOutcome = {
            .succeeded(QueueBench.result($0))
        }
    ) {
        (self.store, self.isSilent, self.holds, self.outcome) = (store, isSilent, holds, outcome)
    }

    var access: WorkerAccess {
        WorkerAccess(
            start: { self.running.withLock { $0 = Task { await self.run() } } },
            events: { self.events.stream }, drain: { self.ask(.draining) },
            stop: { self.ask(.stopping) },
            finished: { await self.running.withLock { $0 }?.value },
            figures: { self.figures.withLock { $0 } })
    }

    private func ask(_ new: Wish) {
        wish.withLock { $0 = max($0, new) }
    }

    private var now: Wish { wish.withLock { $0 } }

    private func run() async {
        let worker = WorkerID(rawValue: "scripted")
        while now == .working {
            do {
                guard let (lease, record) = try store.claim(by: worker, leaseSeconds: 30) else {
                    await Task.yield()
                    continue
                }
                tell(.started(record.id, attempt: 1, lane: 0))
                begun.withLock { $0.append(record.id.rawValue) }
                tell(.progress(record.id, JobProgress(phase: "encode", fraction: 0.5, speed: 2)))
                while holds, now == .working { await Task.yield() }
                let end =
                    now == .stopping ? .returned(note: nil, delaySeconds: 0) : outcome(record.spec)
                _ = try store.finish(lease, end)
                guard let ended = try store.job(record.id) else { continue }
                figures.withLock { $0.ended[ended.state, default: 0] += 1 }
                tell(.ended(ended))
            } catch {
                tell(.paused(reason: "\(error)"))
                break
            }
        }
        events.continuation.finish()
    }

    private func tell(_ event: WorkerEvent) {
        if !isSilent { events.continuation.yield(event) }
    }
}

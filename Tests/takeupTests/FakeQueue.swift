import TakeupLanes

@testable import TakeupJobs
@testable import takeup

/// A queue in memory, as the commands see one.
final class FakeQueue: Sendable {
    private let records: Locked<[JobRecord]>
    private let pruned = Locked<[Double]>([])

    init(_ records: [JobRecord]) {
        self.records = Locked(records)
    }

    /// The ages that `prune` was asked for.
    var prunedSeconds: [Double] { pruned.withLock { $0 } }

    func state(_ id: String) -> JobState? {
        records.withLock { $0.first { $0.id.rawValue == id }?.state }
    }

    static func record(_ id: String, _ machine: JobStateMachine) -> JobRecord {
        var spec = JobSpec(
            id: JobID(rawValue: id), sources: ["/in/\(id).mov"],
            preset: PresetSnapshot(name: "medium", content: "{}"))
        spec.metadata = ["title": "x\u{1B}[2J"]
        return JobRecord(
            spec: spec, machine: machine, token: 1, owner: nil, leaseUntil: nil,
            createdAt: 1_000_000, runAt: 1_000_000, startedAt: nil, finishedAt: nil, workKey: nil,
            publication: nil, progress: nil, result: nil, fault: nil, note: nil)
    }

    static func record(_ id: String, _ state: JobState) -> JobRecord {
        record(id, JobStateMachine(state: state, retries: 3))
    }

    private func change(_ id: JobID, to next: (JobState) -> JobStateMachine) {
        records.withLock { records in
            for index in records.indices where records[index].id == id {
                records[index].machine = next(records[index].state)
            }
        }
    }

    var access: QueueAccess {
        QueueAccess(
            jobs: { [records] filter throws(Failure) in
                let all = records.withLock { $0 }
                let found = all.filter { filter.states?.contains($0.state) ?? true }
                return Array(found.prefix(filter.limit))
            },
            job: { [records] id throws(Failure) in
                records.withLock { $0.first { $0.id == id } }
            },
            cancel: { id throws(Failure) in
                self.change(id) { state in
                    switch state {
                    case .running:
                        JobStateMachine(state: .running, retries: 3, isCancelRequested: true)
                    case .queued, .scheduled: JobStateMachine(state: .cancelled, retries: 3)
                    default: JobStateMachine(state: state, retries: 3)
                    }
                }
            },
            retry: { id throws(Failure) in
                self.change(id) { _ in JobStateMachine(state: .queued, retries: 3) }
            },
            prune: { [pruned] seconds throws(Failure) in
                pruned.withLock { $0.append(seconds) }
                return 2
            })
    }
}

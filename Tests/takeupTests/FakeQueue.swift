import TakeupLanes

@testable import TakeupJobs
import TakeupModel
@testable import takeup

/// A queue in memory, as the commands see one.
final class FakeQueue: Sendable {
    private let records: Locked<[JobRecord]>
    private let pruned = Locked<[Double]>([])

    private let unreadable: Int

    init(_ records: [JobRecord], unreadable: Int = 0) {
        self.records = Locked(records)
        self.unreadable = unreadable
    }

    /// The ages that `prune` was asked for.
    var prunedSeconds: [Double] { pruned.withLock { $0 } }

    func state(_ id: String) -> JobState? {
        records.withLock { $0.first { $0.id.rawValue == id }?.state }
    }

    static func record(_ id: String, _ machine: JobStateMachine) -> JobRecord {
        var spec = JobSpec(
            id: JobID(rawValue: id),
            ExportRequest(
                Composition(joining: ["/in/\(id).mov"]),
                preset: ExportPreset.sound(named: "medium")))
        spec.request.settings.metadata = ["title": "x\u{1B}[2J"]
        return JobRecord(
            spec: spec, machine: machine, token: 1, owner: nil, leaseUntil: nil,
            createdAt: 1_000_000, runAt: 1_000_000, startedAt: nil, finishedAt: nil, workKey: nil,
            publication: nil, progress: nil, lastResult: nil, fault: nil, note: nil)
    }

    static func record(_ id: String, _ state: JobState) -> JobRecord {
        record(id, JobStateMachine(state: state, retries: 3))
    }

    private func add(_ specs: [JobSpec]) {
        records.withLock { $0 += specs.map { Self.record($0.id.rawValue, .queued) } }
    }

    private func found(_ filter: JobFilter) -> [JobRecord] {
        let found = records.withLock { $0 }.filter { record in
            (filter.states?.contains(record.state) ?? true)
                && (filter.ids?.contains(record.id) ?? true)
        }
        return Array(found.prefix(filter.limit))
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
            submit: { specs throws(Failure) in
                self.add(specs)
                return specs.map { _ in .accepted }
            },
            place: { specs throws(Failure) in
                self.add(specs)
                return specs.map { JobSubmission(spec: $0, answer: .accepted) }
            },
            settled: { specs throws(Failure) in specs },
            jobs: { filter throws(Failure) in self.found(filter) },
            list: { listing throws(Failure) in
                let found = self.records.withLock { $0 }.reversed().filter(listing.includes)
                return JobPage(
                    records: Array(found.prefix(listing.limit)), next: nil,
                    unreadable: self.unreadable)
            },
            states: { filter throws(Failure) in
                Dictionary(uniqueKeysWithValues: self.found(filter).map { ($0.id, $0.state) })
            },
            job: { [records] id throws(Failure) in
                records.withLock { $0.first { $0.id == id } }
            },
            counts: { () throws(Failure) in
                Dictionary(grouping: self.found(JobFilter()), by: \.state).mapValues(\.count)
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
                self.change(id) {
                    JobStateMachine(state: $0 == .running ? $0 : .queued, retries: 3)
                }
            },
            prune: { [pruned] seconds throws(Failure) in
                pruned.withLock { $0.append(seconds) }
                return 2
            })
    }
}

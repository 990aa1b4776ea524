import TakeupJobs
import TakeupModel
import TakeupService

/// The jobs of a batch that have not been seen to end, and the way to learn of their ends from the queue.
///
/// Events tell of what this process does; whatever else works on the queue is found by looking. A look asks for
/// what ended lately and for a part of the rest in turn, so that its price does not rise with the batch.
struct BatchFollower: Sendable {
    /// Jobs of which one look asks by name.
    static let idsAtOnce = 500
    /// Seconds by which clocks and commits of other processes may differ.
    private static let margin = 2.0

    private(set) var remaining: [JobID: JobSpec]
    private var turn: ArraySlice<JobID> = []
    private var latest: Double

    /// Follows jobs that were submitted at `now`, in seconds since 1970.
    init(_ specs: [JobSpec], now: Double) {
        remaining = Dictionary(specs.map { ($0.id, $0) }) { first, _ in first }
        latest = now
    }

    /// Takes a record that somebody has; nil when it is no end of a job that is waited for.
    mutating func end(_ record: JobRecord) -> JobEnding? {
        guard remaining[record.id] != nil, let ending = JobEnding(record) else { return nil }
        remaining[record.id] = nil
        latest = max(latest, record.finishedAt ?? latest)
        return ending
    }

    /// What has ended since the last look, in the order of acceptance.
    mutating func look(at queue: QueueAccess) throws(Failure) -> [JobEnding] {
        guard !remaining.isEmpty else { return [] }
        let page = nextPage()
        let states = try queue.states(JobFilter(ids: page))
        var ended = Set(page.filter { states[$0]?.isTerminal == true })
        if remaining.count > page.count {
            let lately = try queue.states(JobFilter(endedSince: latest - Self.margin))
            ended.formUnion(lately.keys.filter { remaining[$0] != nil })
        }
        var endings: [JobEnding] = []
        if !ended.isEmpty {
            for record in try queue.confirmed(JobFilter(ids: Array(ended))) {
                if let ending = end(record) { endings.append(ending) }
            }
        }
        for id in page where states[id] == nil {
            guard let spec = remaining.removeValue(forKey: id) else { continue }
            endings.append(JobEnding(spec, failed: .forgotten(id)))
        }
        return endings
    }

    private mutating func nextPage() -> [JobID] {
        if turn.isEmpty { turn = Array(remaining.keys)[...] }
        let page = turn.prefix(Self.idsAtOnce)
        turn = turn.dropFirst(page.count)
        return page.filter { remaining[$0] != nil }
    }
}

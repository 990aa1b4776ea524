internal import Foundation
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupModel
internal import TakeupService

/// What happens to all jobs, for everybody who follows it: one look at the queue for all of them.
///
/// It looks only while somebody follows.
final class EventHub: Sendable {
    private static let pollSeconds = 0.5
    private static let countSeconds = 1.0
    /// Seconds without a follower after which nobody looks any more.
    private static let idleSeconds = 10.0
    /// Events that a follower may be behind.
    private static let mostKept = 4096
    /// Jobs that are followed at once.
    private static let mostJobs = 2000
    /// Jobs that ended between two looks; where there are more, nobody goes on behind them.
    private static let mostEnded = 20_000
    /// Seconds without a follower after which nobody goes on where it was.
    private static let resumeSeconds = 300.0
    /// Seconds by which clocks of machines may differ.
    private static let overlapSeconds = 10.0

    private struct State {
        /// Tells the events of one row from those before a restart, or before a gap.
        var epoch = EventHub.newEpoch()
        var events: [String] = []
        /// The number of the first event that is kept.
        var first = 0
        var story = JobStory()
        /// What a new follower is told first, by job.
        var running: [JobID: [JSONValue]] = [:]
        var counts: JSONValue?
        var countedAt = -Double.infinity
        /// When jobs ended that were told already, in seconds since 1970.
        var ended: [JobID: Double] = [:]
        var endedSince = 0.0
        /// When somebody began to look: what ended before is in the list of jobs.
        var lookedSince = 0.0
        var isLooking = false
        var askedAt = -Double.infinity
        /// When somebody looked last.
        var polledAt = -Double.infinity

        var next: Int { first + events.count }

        /// Begins a new row of events; no client can resume from an event of an earlier row.
        mutating func reset(at wallClock: Double) {
            (epoch, events, first) = (EventHub.newEpoch(), [], 0)
            (story, running, ended, counts) = (JobStory(), [:], [:], nil)
            (lookedSince, endedSince) = (wallClock, wallClock)
        }

        /// The events behind one that a follower knows; nil where some of them are no longer here.
        func events(after place: Place?) -> String? {
            guard let place, place.epoch == epoch, (first - 1..<next).contains(place.number)
            else { return nil }
            return events[(place.number + 1 - first)...].joined()
        }

        mutating func add(_ text: String) {
            events.append(text)
            let excess = events.count - EventHub.mostKept
            guard excess > 0 else { return }
            events.removeFirst(excess)
            first += excess
        }
    }

    /// An event, by its row and its number.
    private struct Place: Sendable, CustomStringConvertible {
        var epoch: String
        var number: Int

        init(epoch: String, number: Int) { (self.epoch, self.number) = (epoch, number) }

        /// Reads what `description` has written.
        init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let number = Int(parts[1]) else { return nil }
            self.init(epoch: String(parts[0]), number: number)
        }

        var description: String { "\(epoch)-\(number)" }
    }

    private let queue: QueueAccess
    private let counts: QueueCounts
    private let uploads: UploadPaths
    private let now: @Sendable () -> Double
    private let wallClock: @Sendable () -> Double
    private let state = Locked(State())

    init(
        _ queue: QueueAccess, _ counts: QueueCounts, _ uploads: UploadPaths,
        now: @escaping @Sendable () -> Double,
        wallClock: @escaping @Sendable () -> Double
    ) {
        (self.queue, self.counts, self.uploads) = (queue, counts, uploads)
        (self.now, self.wallClock) = (now, wallClock)
    }

    private static func newEpoch() -> String { String(UInt32.random(in: 0 ... .max), radix: 36) }

    /// Follows from behind an event that is still known; otherwise from what runs now.
    func feed(after id: String?) -> EventBody.Feed {
        look()
        let place = Locked(id.flatMap { Place($0) })
        return EventBody.Feed(
            next: { [self] in
                look()
                return state.withLock { state in
                    place.withLock { place in
                        defer { place = Place(epoch: state.epoch, number: state.next - 1) }
                        return state.events(after: place) ?? snapshot(state)
                    }
                }
            }, close: {})
    }

    /// What runs now.
    ///
    /// Only its end is a place: who has not read it to there gets all of it again.
    private func snapshot(_ state: State) -> String {
        var objects = state.running.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(\.value)
        if let counts = state.counts { objects.append(counts) }
        let place = Place(epoch: state.epoch, number: state.next - 1)
        return objects.enumerated().map { index, object in
            let isLast = index == objects.count - 1
            return EventText.event(uploads.shown(object), id: isLast ? "\(place)" : nil)
        }.joined()
    }

    /// Has somebody look for a while.
    private func look() {
        let time = now()
        let begins = state.withLock { state in
            state.askedAt = time
            defer { state.isLooking = true }
            guard !state.isLooking else { return false }
            // After a short gap, what ended in it is told to who comes back.
            if time - state.polledAt > Self.resumeSeconds { state.reset(at: wallClock()) }
            return true
        }
        guard begins else { return }
        Lane("takeup.events").start { [self] in
            while isAsked {
                poll()
                Thread.sleep(forTimeInterval: Self.pollSeconds)
            }
        }
    }

    private var isAsked: Bool {
        let time = now()
        return state.withLock { state in
            state.isLooking = time - state.askedAt < Self.idleSeconds
            return state.isLooking
        }
    }

    private func poll() {
        let since = state.withLock { $0.endedSince - Self.overlapSeconds }
        let began = wallClock()
        // A database that does not answer now is asked again.
        guard let running = try? queue.jobs(JobFilter(states: [.running], limit: Self.mostJobs)),
            let ended = try? queue.jobs(JobFilter(endedSince: since, limit: Self.mostEnded))
        else { return }
        let time = now()
        let isCountDue = state.withLock { time - $0.countedAt >= Self.countSeconds }
        let counted = isCountDue ? try? counts.counts() : nil
        state.withLock { state in
            state.polledAt = time
            if ended.count == Self.mostEnded { return state.reset(at: began) }
            var told: [JSONValue] = []
            for record in running { told += begin(record, &state, now: time) }
            for record in ended { told += end(record, &state) }
            forget(&state, running, since: since)
            state.endedSince = began
            for object in told { add(object, &state) }
            if let counted {
                state.countedAt = time
                let object = JobRoutes.json(counted).prefixed("type", "counts")
                add(object, &state)
                state.counts = object
            }
        }
    }

    private func add(_ object: JSONValue, _ state: inout State) {
        state.add(EventText.event(uploads.shown(object), id: "\(state.epoch)-\(state.next)"))
    }

    private func begin(
        _ record: JobRecord, _ state: inout State, now: Double
    ) -> [JSONValue] {
        var objects = state.story.started(record.spec)
        if !objects.isEmpty { state.running[record.id] = objects }
        guard let progress = record.progress else { return objects }
        let told = state.story.progress(record.spec, progress, now: now)
        if let last = told.last, let first = state.running[record.id]?.first {
            state.running[record.id] = [first, last]
        }
        objects += told
        return objects
    }

    private func end(_ record: JobRecord, _ state: inout State) -> [JSONValue] {
        guard let at = record.finishedAt, state.ended[record.id] != at,
            let ending = JobEnding(record)
        else { return [] }
        let isOld = state.running[record.id] == nil && at < state.lookedSince
        state.ended[record.id] = at
        state.running[record.id] = nil
        guard !isOld else { return [] }
        return state.story.finished(ending)
    }

    /// Forgets jobs that were given back, and ends that no look finds again.
    private func forget(_ state: inout State, _ running: [JobRecord], since: Double) {
        let present = Set(running.map(\.id))
        for id in state.running.keys where !present.contains(id) {
            state.running[id] = nil
            state.story.forget(id)
        }
        state.ended = state.ended.filter { $0.value >= since }
    }
}

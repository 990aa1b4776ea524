internal import TakeupJobs
internal import TakeupLanes
internal import TakeupModel
internal import TakeupService

/// The events of one job, from what the queue says of it: whichever process does the job, and after a restart, too.
final class JobEventFeed: Sendable {
    /// Seconds between two looks at the queue.
    private static let pollSeconds = 0.5

    private struct State {
        var story = JobStory()
        /// The last place that the client knows.
        var seen: JobEventID?
        /// What was told last.
        var last: JSONValue?
        var dueAt = -Double.infinity
        var isOver = false
    }

    private let job: JobID
    private let queue: QueueAccess
    private let uploads: UploadPaths
    private let now: @Sendable () -> Double
    private let state: Locked<State>

    init(
        _ job: JobID, after seen: JobEventID?, _ queue: QueueAccess, _ uploads: UploadPaths,
        now: @escaping @Sendable () -> Double
    ) {
        (self.job, self.queue, self.uploads, self.now) = (job, queue, uploads, now)
        state = Locked(State(seen: seen))
    }

    var feed: EventBody.Feed { EventBody.Feed(next: { self.next() }, close: {}) }

    private func next() -> String? {
        let time = now()
        let isDue = state.withLock { state in
            guard !state.isOver, time >= state.dueAt else { return false }
            state.dueAt = time + Self.pollSeconds
            return true
        }
        guard isDue else { return state.withLock { $0.isOver } ? nil : "" }
        // A database that does not answer now is asked again.
        let found: JobRecord?
        do throws(Failure) { found = try queue.job(job) } catch { return "" }
        return state.withLock { state in
            guard let record = found else { return nil }
            return tell(record, &state, now: time)
        }
    }

    private func tell(_ record: JobRecord, _ state: inout State, now: Double) -> String {
        var objects: [JSONValue] = []
        if let ending = JobEnding(record) {
            objects = state.story.finished(ending)
            state.isOver = true
        } else if record.state == .running {
            objects = state.story.started(record.spec)
            if let progress = record.progress {
                objects += state.story.progress(record.spec, progress, now: now)
            }
        }
        var warnings = 0
        return objects.map { object in
            let id = JobEventID(object, of: record, warning: warnings)
            if EventText.type(of: object) == "warning" { warnings += 1 }
            return text(of: object, id, &state)
        }.joined()
    }

    /// Each place is told once, so that a client goes on behind exactly what it has.
    ///
    /// - Returns: Empty for what the client knows.
    private func text(of object: JSONValue, _ id: JobEventID, _ state: inout State) -> String {
        guard let seen = state.seen, id <= seen else {
            (state.seen, state.last) = (id, object)
            return EventText.event(uploads.shown(object), id: "\(id)")
        }
        // Another phase or speed at the same place.
        guard id == seen, id.isOfProgress, object != state.last else { return "" }
        state.last = object
        return EventText.event(uploads.shown(object), id: nil)
    }
}

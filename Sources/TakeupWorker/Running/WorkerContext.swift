internal import Foundation
internal import TakeupCache
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTelemetry

/// What the lanes of one worker share.
struct WorkerContext: Sendable {
    /// Seconds after which a pause for want of room ends in any case, so that jobs which need less get their turn.
    private static let longestPause = 10.0

    let store: SQLJobStore
    let cache: MediaCache
    let configuration: WorkerConfiguration
    let presence: WorkerPresence
    let logs: JobLogs
    let log: Log
    let run = RunState()
    let book = ActiveLeases()
    let gate = DiskSpaceGate()
    let places = ClosedPlaces()
    let leftJobs = LeftJobs()
    let events = EventBroadcast()
    let pulse = LaneLiveness()
    let tally = WorkTally()
    let troubles = Troubles()
    let look = QueueLook()
    let hearing = Hearing()

    /// Seconds until the queue is looked at again, after a look that found nothing.
    ///
    /// A server tells of new jobs; where it cannot, they wait for two seconds at most.
    var idleSeconds: Double {
        guard store.folder == nil else { return configuration.idleSeconds }
        let most = hearing.isOn ? Self.heardIdleSeconds : Self.unheardIdleSeconds
        // Who ends the job that others wait for may be a worker that may not take them.
        let blocked = store.isBlocked ? Self.blockedIdleSeconds : most
        return min(most, blocked, store.secondsToKnownStart ?? most)
    }

    private static let heardIdleSeconds = 15.0
    private static let unheardIdleSeconds = 1.5
    private static let blockedIdleSeconds = 2.0

    /// The processors are shared by the lanes that work, or will when others wait.
    func threadsForOneMore() -> Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let waiting = (try? store.secondsToNext()).flatMap { $0 } == 0
        let lanes = waiting ? configuration.lanes : max(1, book.count)
        return max(1, cores / lanes)
    }

    /// Stops running jobs, which are given back.
    func stop() {
        run.advance(to: .stopping)
        book.stopAll()
    }

    /// Takes nothing more, and ends the worker with a failure once its running jobs have ended.
    func end(_ failure: Failure) {
        guard run.failure == nil else { return }
        run.fail(failure)
        log.record(.error, failure.message)
        run.advance(to: .draining)
    }

    /// Starts nothing more until `resume`.
    func suspend(because reason: String, returnsRunning: Bool) {
        let isNew = run.setSuspended(true)
        // After the flag: a lane that claims meanwhile sees it, and gives its job back.
        if returnsRunning { book.stopPresent() }
        guard isNew else { return }
        log.record(.info, "nothing is started: \(reason)")
        events.send(.paused(reason: reason))
    }

    func resume() {
        guard run.setSuspended(false) else { return }
        log.record(.info, "resumed")
        events.send(.resumed)
    }

    /// Does what can wait for its next turn, and tells once why it fails.
    ///
    /// - Returns: Whether it is done.
    @discardableResult
    func attempt(_ activity: String, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            troubles.end(activity)
            return true
        } catch {
            // It was ended together with the worker.
            guard run.phase < .idle else { return false }
            // A disk that is full is full at every look.
            guard troubles.begin(activity, "\(error)") else { return false }
            // A server that is away is told by whoever waits for it.
            let isAway = (error as? JobStoreError)?.isUnreachable ?? false
            log.record(isAway ? .warning : .error, "\(activity) failed: \(error)")
            return false
        }
    }

    /// Tells once that the queue's database fails, and names its disk when that is full.
    func noteQueue(_ error: JobStoreError, _ fields: [LogField] = []) {
        guard error.isDiskFull else {
            guard troubles.begin(Self.queue, "\(error)") else { return }
            log.record(
                error.isUnreachable ? .warning : .error, "the queue failed: \(error)", fields)
            return
        }
        let disk = FreeSpace.mountPoint(of: Folder.containing(store.name))
        let words = "no space left on the disk at \(disk) for the database \(store.name)"
        guard troubles.begin(Self.fullDisk, words) else { return }
        log.record(.error, words, fields)
        events.send(.paused(reason: words))
    }

    /// Says once that the store of the results does not answer.
    func noteObjects(_ failure: Failure, _ fields: [LogField] = []) {
        guard troubles.begin(Self.objects, failure.message) else { return }
        log.record(.warning, "\(failure.message); what is done waits for it", fields)
    }

    /// A job was claimed and ended in the queue.
    func noteQueueWorks() {
        if troubles.end(Self.queue) { log.record(.info, "the queue answers again") }
        guard troubles.end(Self.fullDisk) else { return }
        log.record(.info, "resumed: the database can be written again")
        events.send(.resumed)
    }

    /// A result was placed.
    func noteObjectsWork() {
        if troubles.end(Self.objects) { log.record(.info, "the object store answers again") }
    }

    private static let queue = "queue"
    private static let objects = "objects"
    private static let fullDisk = "database disk"

    func closeGate(_ path: String, _ needBytes: Int64) {
        guard
            gate.close(
                DiskSpaceGate.Need(
                    folder: path, bytes: needBytes, until: .now + .seconds(Self.longestPause)))
        else { return }
        let reason =
            needBytes > 0
            ? "\(path) has no room for \(needBytes) bytes more"
            : "\(path) has less than the \(cache.limits.minFreeBytes) bytes free that the cache"
                + " leaves to others"
        log.record(.warning, "paused: \(reason)")
        events.send(.paused(reason: reason))
    }

    /// Says once for each reason that nothing can be written to a folder.
    func closePlace(_ folder: String, _ reason: String) {
        guard places.close(folder, because: reason) else { return }
        let words = "\(folder) cannot be written to: \(reason); what goes there waits"
        log.record(.warning, words)
        events.send(.noticed(words))
    }

    private func folders(of record: JobRecord) -> [String] {
        var folders = [cache.objects.path]
        if cache.objects.name != cache.objects.path { folders.append(cache.objects.name) }
        if let output = record.spec.request.output { folders.append(Folder.containing(output)) }
        return folders
    }

    /// Whether a job has to wait for a folder that it writes to.
    ///
    /// - Returns: What to give it back with; nil when it may begin.
    func wait(of record: JobRecord) -> JobOutcome? {
        for folder in folders(of: record) {
            // Of a bucket, only a job can tell.
            let isBucket = BucketOutput.isMeant(by: folder)
            let verdict = places.look(at: folder, delaySeconds: record.waitSeconds) {
                folder throws(FileError) in
                if !isBucket { try WritableFolder.require(folder) }
            }
            switch verdict {
            case .open: continue
            case .closed(let reason, let delay):
                return .returned(
                    note: JobRecord.note(waitingFor: folder, because: reason), delaySeconds: delay)
            }
        }
        return nil
    }

    /// Says that folders can be written to again, once a job's files stand there.
    func settlePlaces(of record: JobRecord) {
        guard record.state == .succeeded || record.state == .cached else { return }
        if gate.noteResult() { tellOpen() }
        for folder in folders(of: record) where places.settle(folder) {
            let words = "\(folder) can be written to again"
            log.record(.info, words)
            events.send(.noticed(words))
        }
    }

    func openGate() {
        if gate.open() { tellOpen() }
    }

    /// Says that work goes on once a try has found room.
    func settleGate() {
        if gate.hasFoundRoom() { tellOpen() }
    }

    private func tellOpen() {
        log.record(.info, "resumed")
        events.send(.resumed)
    }
}

internal import TakeupMediaClient
internal import Foundation
internal import TakeupFiles
package import TakeupJobs
internal import TakeupModel
package import TakeupTelemetry
package import TakeupWatch
internal import TakeupWorker

/// One folder under watch: hands files to the queue, follows their jobs, and does with sources what is to be done.
///
/// Confined to one lane.
package final class WatchedFolder {
    /// Between two looks at the queue, in seconds.
    package static let followSeconds = 1.0
    /// Between two looks for failed jobs that somebody has had retried, in seconds.
    package static let retriedSeconds = 15.0
    /// Between two rounds of forgetting, and how long what has gone is known, in seconds.
    package static let pruneSeconds = 86_400.0
    package static let goneSeconds = 30 * 86_400.0
    package static let actionsAtOnce = 64

    package let request: WatchRequest
    package let queue: QueueAccess
    package let ledger: WatchLedger
    package let log: Log
    package let book: FolderPolicyResolver
    package let watcher: FolderWatcher
    package let actions: SourceActions
    package let duties: FolderDelegate
    package let hooks: WatchHooks
    package let life: FolderLife
    package let wallClock: @Sendable () -> Double
    private var followAt = -Double.infinity
    private var retriedAt = -Double.infinity
    private var pruneAt = -Double.infinity
    /// Whether the folder was there at the last step; at the first one, what an earlier process saw counts for nothing.
    private var wasAvailable = false
    /// Whose jobs have not ended, at the last look.
    package var handedFiles = 0
    /// Files whose jobs have failed for good in this process.
    package var failedFiles = 0
    /// Jobs whose outputs may have gone beneath the place of a disk, each with whether it is known that one was away.
    package var doubtful: [String: Bool]
    /// Jobs whose sources were there, and which the worker did not find.
    package var missed: Set<JobID> = []
    /// What was complained of last, by a file's path or nothing for the folder itself.
    private var troubles: [ExactPath: String] = [:]

    package init(
        _ request: WatchRequest, _ tools: WatchTools, _ hooks: WatchHooks, _ life: FolderLife
    ) throws(WatchError) {
        (self.hooks, self.life, wallClock) = (hooks, life, tools.clock.wall)
        (self.request, queue, ledger, log) = (request, tools.queue, tools.ledger, tools.log)
        try ledger.begin(request.folder)
        if let note = request.note { try ledger.note(settings: note, of: request.folder) }
        doubtful = try ledger.doubtful(in: request.folder)
        book = FolderPolicyResolver(request, clock: tools.clock.forward)
        duties = try FolderDelegate(
            request, book, tools, hooks, life, FileProbe(MediaProbe(tools.helper)))
        watcher = try FolderWatcher(
            request.folder, request.settings, ledger: tools.ledger,
            clock: tools.clock, duties: duties.all)
        let note = FailureNote(tools, now: tools.clock.wall)
        actions = SourceActions(
            doneFolder: request.done, failedFolder: request.failed,
            trash: tools.trash,
            note: { (action) throws(WatchError) in try note.bytes(action) },
            holdsSame: { (descriptor, action) throws(WatchError) in
                try Fingerprint.ofFile(descriptor, path: action.path) == action.fingerprint
            })
    }

    /// Notes that it was not a kill that has ended it.
    package func end() throws(WatchError) { try ledger.finish(request.folder) }

    /// Whether the folder or that of its outputs is not there: then nothing is done.
    private var isAway: Bool { !watcher.isAvailable || duties.output?.absence != nil }

    /// Whether nothing can be handed over, or nothing written of what was.
    private var isBlocked: Bool { !watcher.isAvailable || duties.output?.obstacle != nil }

    /// Whether everything that can be done with what is there is done.
    package var isDone: Bool {
        get throws(WatchError) {
            // A disk that is missing is not waited for.
            if isBlocked { return true }
            guard watcher.hasScanned, watcher.waitingFiles == 0 else { return false }
            guard try ledger.handed(in: request.folder).allSatisfy(waitsForPlace),
                try ledger.askedAgain(in: request.folder)
                    .allSatisfy({ troubles[ExactPath($0)] != nil })
            else { return false }
            // One that failed waits for another time.
            return try ledger.actions(in: request.folder).allSatisfy { $0.tries > 0 }
        }
    }

    /// Whether something that is there came to nothing, or could not be taken.
    package var hasFailures: Bool {
        get throws(WatchError) {
            let failed = try ledger.failed(in: request.folder)
            let actions = try ledger.actions(in: request.folder)
            let asked = try ledger.askedAgain(in: request.folder)
            let handed = try ledger.handed(in: request.folder)
            return isBlocked || failedFiles > 0
                || watcher.stuckFiles > 0 || book.hasFaults
                || !handed.isEmpty || !failed.isEmpty || !actions.isEmpty || !asked.isEmpty
        }
    }

    /// What is known of it, in numbers; walks over the files that wait.
    package var figures: WatchFigures {
        WatchFigures(
            isAvailable: watcher.isAvailable, hasScanned: watcher.hasScanned,
            hasEvents: watcher.mode == .events, waiting: watcher.waitingFiles,
            stuck: watcher.stuckFiles, handed: handedFiles, known: watcher.knownFiles,
            scans: watcher.scans, scanSeconds: watcher.scanSeconds,
            overflows: watcher.overflows)
    }

    /// Says why a run that is over ends with failures.
    package func tellFailures() throws(WatchError) {
        for file in try ledger.failed(in: request.folder) {
            log.record(
                .warning, "\(request.folder): \(file.path) has failed: \(file.reason ?? "")")
        }
        for (path, obstacle) in watcher.obstacles {
            log.record(.warning, "\(request.folder): \(path) cannot be taken: \(obstacle)")
        }
    }

    /// Does what is due.
    ///
    /// - Returns: When to come again, in seconds of the forward clock.
    package func step(now: Double) -> Double {
        var next = now + FolderWatcher.absentSeconds
        var isWell = true
        do throws(WatchError) {
            try lookAtOutput()
            life.places.look(for: request.folder)
            life.noteOutput(duties.output?.absence)
            next = try watcher.step()
            if watcher.isAvailable, !wasAvailable { try ledger.wakeActions(in: request.folder) }
            wasAvailable = watcher.isAvailable
        } catch {
            isWell = false
            complain(error)
        }
        do throws(WatchError) {
            // Without the folders nothing is known of files: neither why a job failed nor what may go.
            if !isAway { try followIfDue(now) }
        } catch {
            isWell = false
            complain(error)
        }
        if isWell { troubles[ExactPath("")] = nil }
        hooks.wakeIfNeeded()
        duties.probe.endIfIdle()
        return min(next, now + Self.followSeconds)
    }

    /// Says when the folder of outputs goes away or is there again, and remembers whose outputs are in doubt.
    private func lookAtOutput() throws(WatchError) {
        guard let output = duties.output else { return }
        let (before, refusal) = (output.absence, output.refusal)
        try output.look()
        tell(refusal: refusal, of: output)
        switch (before, output.absence) {
        case (nil, let reason?):
            log.record(.warning, "\(request.folder): \(output.path) is not there: \(reason)")
            try doubt()
        case (_?, nil):
            log.record(.info, "\(request.folder): \(output.path) is there again")
            try doubt()
        case (nil, nil), (_?, _?): break
        }
    }

    /// What is handed over goes on; nothing more is until files can be made there.
    private func tell(refusal before: FileError?, of output: OutputGuard) {
        if let reason = output.refusal, reason != before {
            log.record(
                .warning,
                "\(request.folder): paused: \(output.path): \(reason.reasonOfFolder); files wait")
        } else if before != nil, output.absence == nil, output.refusal == nil {
            log.record(.info, "\(request.folder): \(output.path) can be written to again")
        }
    }

    /// A part of the folder of outputs may be closed, while the others are not.
    private func waitsForPlace(_ file: WatchedFile) -> Bool {
        guard let id = file.jobID, let job = (try? queue.job(id)) ?? nil else { return false }
        return job.waitsForPlace
    }

    private func doubt() throws(WatchError) {
        try ledger.doubt(in: request.folder)
        doubtful = try ledger.doubtful(in: request.folder)
    }

    /// - Throws: `WatchError.unavailable` when the folder of outputs has gone meanwhile.
    package func requireOutputRoot() throws(WatchError) {
        try duties.output?.look()
        try duties.output?.require()
    }

    private func followIfDue(_ now: Double) throws(WatchError) {
        guard now >= followAt else { return }
        if now >= retriedAt {
            retriedAt = now + Self.retriedSeconds
            try takeUpRetried()
        }
        if now >= pruneAt {
            pruneAt = now + Self.pruneSeconds
            try ledger.prune(goneForSeconds: Self.goneSeconds)
        }
        try takeUpAgain()
        try follow()
        try act()
        // A long backlog is looked through less often.
        followAt = now + Self.followSeconds * Double(1 + handedFiles / Self.actionsAtOnce)
    }

    /// Says what is wrong with a file, or with the folder itself, once until it changes.
    package func complain(_ error: WatchError, of path: String = "") {
        let words = Failure(error).message
        if words != troubles[ExactPath(path)] { log.record(.error, "\(request.folder): \(words)") }
        troubles[ExactPath(path)] = words
    }

    /// A file with which nothing is wrong any more.
    package func calm(_ path: String) { troubles[ExactPath(path)] = nil }

    /// Waits for events.
    ///
    /// - Returns: `false` where there are none, and nothing was waited for.
    package func wait(seconds: Double) -> Bool {
        (try? watcher.wait(seconds: seconds)) ?? false
    }
}

extension WatchedFile {
    package var jobID: JobID? { job.map { JobID(rawValue: $0) } }
}

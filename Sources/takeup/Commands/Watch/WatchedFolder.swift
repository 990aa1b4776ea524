import Foundation
import TakeupFiles
import TakeupJobs
import TakeupTelemetry
import TakeupWatch
import TakeupWorker

/// One folder under watch: hands files to the queue, follows their jobs, and does with sources what is to be done.
///
/// Confined to one lane.
final class WatchedFolder {
    /// Between two looks at the queue, in seconds.
    static let followSeconds = 1.0
    /// Between two looks for failed jobs that somebody has had retried, in seconds.
    static let retriedSeconds = 15.0
    /// Between two rounds of forgetting, and how long what has gone is known, in seconds.
    static let pruneSeconds = 86_400.0
    static let goneSeconds = 30 * 86_400.0
    static let actionsAtOnce = 64

    let request: WatchRequest
    let queue: QueueAccess
    let ledger: WatchLedger
    let log: Log
    let book: TreatmentBook
    let watcher: FolderWatcher
    let actions: SourceActions
    private let probe: MediaProbe
    let hooks: WatchHooks
    private var followAt = -Double.infinity
    private var retriedAt = -Double.infinity
    private var pruneAt = -Double.infinity
    /// Whose jobs have not ended, at the last look.
    var handedFiles = 0
    /// The folder of outputs, looked at before each step; nil for the cache alone.
    private let output: OutputGuard?
    /// Jobs that may have ended while the folder of outputs was away.
    var doubtful: Set<JobID> = []
    /// What was complained of last; nil when all is well.
    private var trouble: String?

    init(
        _ request: WatchRequest, _ tools: WatchTools, _ hooks: WatchHooks,
        in context: CommandContext
    ) throws(WatchError) {
        self.hooks = hooks
        (self.request, queue, ledger, log) = (request, tools.queue, tools.ledger, tools.log)
        let book = TreatmentBook(request, context)
        self.book = book
        probe = MediaProbe(tools.helper)
        output = try request.output.map { path throws(WatchError) in
            try OutputGuard(path, tools.ledger)
        }
        var duties = Self.duties(request, book, probe, tools)
        let (output, hand) = (output, duties.hand)
        duties.hand = { (file) throws(WatchError) in
            try output?.require()
            return try hand(file)
        }
        duties.notices = { (file) throws(WatchError) in
            try hooks.notices(file.state == .handed ? .queued : .skipped, of: file)
        }
        watcher = try FolderWatcher(
            request.folder, request.settings, ledger: tools.ledger,
            clock: WatchClock(forward: context.now, wall: context.wallClock), duties: duties)
        let data =
            context.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(context.environment["HOME"] ?? "")/.local/share"
        let note = FailureNote(tools, now: context.wallClock)
        actions = SourceActions(
            doneFolder: request.done, failedFolder: request.failed,
            trash: Trash(home: "\(data)/Trash", user: getuid(), now: context.wallClock),
            note: { (action) throws(WatchError) in try note.bytes(action) },
            holdsSame: { (descriptor, action) throws(WatchError) in
                try Fingerprint.ofFile(descriptor, path: action.path) == action.fingerprint
            })
    }

    private static func duties(
        _ request: WatchRequest, _ book: TreatmentBook, _ probe: MediaProbe, _ tools: WatchTools
    ) -> WatchDuties {
        let ignored = Ignored()
        let (log, queue) = (tools.log, tools.queue)
        return WatchDuties(
            prepare: { () throws(WatchError) in
                ignored.file = try WatchRequest.ignoreFile(in: request.folder)
                return book.refresh()
            },
            reasonToPassOver: { request.reasonToPassOver($0, ignored.file) },
            wish: { (path, mark, facts) throws(WatchError) in
                try book.wish(for: path, bytes: mark.identity.bytes, facts)
            },
            examine: { path, descriptor, writers in
                let needsMedia = (try? book.treatment(for: path))?.needsMedia ?? false
                guard writers == .unknown || needsMedia else { return nil }
                return .init(descriptor, path, by: probe)
            },
            hand: { (file) throws(WatchError) in
                try hand(file, request, book, queue)
            },
            fingerprint: { (descriptor) throws(WatchError) in
                try Fingerprint.ofFile(descriptor, path: request.folder)
            },
            tell: { note in WatchTalk(log, request.folder).tell(note) })
    }

    /// Whether everything that can be done with what is there is done.
    var isDone: Bool {
        get throws(WatchError) {
            guard watcher.isAvailable, watcher.hasScanned, watcher.waitingFiles == 0 else {
                return false
            }
            guard try ledger.handed(in: request.folder).isEmpty else { return false }
            // One that failed waits for another time.
            return try ledger.actions(in: request.folder).allSatisfy { $0.tries > 0 }
        }
    }

    /// Whether something that is there came to nothing, or could not be taken.
    var hasFailures: Bool {
        get throws(WatchError) {
            let failed = try ledger.failed(in: request.folder)
            let actions = try ledger.actions(in: request.folder)
            return watcher.stuckFiles > 0 || !failed.isEmpty || !actions.isEmpty
        }
    }

    /// What is known of it, in numbers; walks over the files that wait.
    var figures: WatchFigures {
        WatchFigures(
            isAvailable: watcher.isAvailable, missingOutput: output?.absence,
            hasScanned: watcher.hasScanned,
            hasEvents: watcher.mode == .events, waiting: watcher.waitingFiles,
            stuck: watcher.stuckFiles, handed: handedFiles, known: watcher.knownFiles,
            scans: watcher.scans, scanSeconds: watcher.scanSeconds,
            overflows: watcher.overflows)
    }

    /// Does what is due.
    ///
    /// - Returns: When to come again, in seconds of the forward clock.
    func step(now: Double) -> Double {
        do throws(WatchError) {
            try lookAtOutput()
            let next = try watcher.step()
            // Without the folders nothing is known of files: neither why a job failed nor what may go.
            if watcher.isAvailable, output?.absence == nil { try followIfDue(now) }
            trouble = nil
            hooks.wakeIfNeeded()
            probe.endIfIdle()
            return min(next, now + Self.followSeconds)
        } catch {
            complain(error)
            return now + FolderWatcher.absentSeconds
        }
    }

    /// Says when the folder of outputs goes away or is there again, and remembers whose outputs are in doubt.
    private func lookAtOutput() throws(WatchError) {
        guard let output else { return }
        let before = output.absence
        try output.look()
        switch (before, output.absence) {
        case (nil, let reason?):
            log.record(.warning, "\(request.folder): \(output.path) is not there: \(reason)")
        case (_?, nil):
            log.record(.info, "\(request.folder): \(output.path) is there again")
            doubtful = Set(try ledger.handed(in: request.folder).compactMap(\.jobID))
        case (nil, nil), (_?, _?): break
        }
    }

    /// - Throws: `WatchError.unavailable` when the folder of outputs has gone meanwhile.
    func requireOutputRoot() throws(WatchError) {
        try output?.look()
        try output?.require()
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

    /// Says what is wrong, once until it changes.
    func complain(_ error: WatchError) {
        let words = Failure(error).message
        if words != trouble { log.record(.error, "\(request.folder): \(words)") }
        trouble = words
    }

    /// Waits for events.
    ///
    /// - Returns: `false` where there are none, and nothing was waited for.
    func wait(seconds: Double) -> Bool {
        (try? watcher.wait(seconds: seconds)) ?? false
    }

    /// What says which names are passed over.
    private final class Ignored {
        var file = IgnoreFile()
    }
}

extension WatchedFile {
    var jobID: JobID? { job.map { JobID(rawValue: $0) } }
}

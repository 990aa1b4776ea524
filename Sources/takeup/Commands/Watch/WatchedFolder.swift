import Foundation
import TakeupJobs
import TakeupLanes
import TakeupTelemetry
import TakeupWatch

/// One folder under watch: hands files to the queue, follows their jobs, and does with sources what is to be done.
///
/// Confined to one lane.
final class WatchedFolder {
    /// Between two looks at the queue, in seconds.
    static let followSeconds = 1.0
    private static let actionsAtOnce = 64
    private static let firstRetrySeconds = 5.0
    private static let longestRetrySeconds = 3600.0

    let request: WatchRequest
    private let queue: QueueAccess
    private let ledger: WatchLedger
    private let log: Log
    private let watcher: FolderWatcher
    private let actions: SourceActions
    private var followAt = -Double.infinity
    /// Whose jobs have not ended, at the last look.
    private var handedFiles = 0

    init(
        _ request: WatchRequest, _ queue: QueueAccess, _ ledger: WatchLedger,
        _ context: CommandContext, _ log: Log
    ) throws(WatchError) {
        (self.request, self.queue, self.ledger, self.log) = (request, queue, ledger, log)
        let clock = WatchClock(forward: context.now, wall: context.wallClock)
        let rules = Rules()
        let duties = WatchDuties(
            prepare: { () throws(WatchError) in
                rules.ignored = try WatchRequest.ignoreFile(in: request.folder)
            },
            reasonToPassOver: { request.reasonToPassOver($0, rules.ignored) },
            wish: { _, mark in request.wish(for: mark) },
            hand: { (file) throws(WatchError) in
                try Self.hand(file, request, queue)
            },
            fingerprint: { (descriptor) throws(WatchError) in
                try Fingerprint.ofFile(descriptor, path: request.folder)
            },
            tell: { note in WatchTalk(log, request.folder).tell(note) })
        watcher = try FolderWatcher(
            request.folder, request.settings, ledger: ledger, clock: clock, duties: duties)
        let data =
            context.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(context.environment["HOME"] ?? "")/.local/share"
        actions = SourceActions(
            doneFolder: request.done,
            trash: Trash(home: "\(data)/Trash", user: getuid(), now: context.wallClock),
            holdsSame: { (descriptor, action) throws(WatchError) in
                try Fingerprint.ofFile(descriptor, path: action.path) == action.fingerprint
            })
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
            isAvailable: watcher.isAvailable, hasScanned: watcher.hasScanned,
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
            let next = try watcher.step()
            // Without the folder nothing is known of its files: neither why a job failed nor what may go.
            if watcher.isAvailable, now >= followAt {
                try follow()
                try act()
                // A long backlog is looked through less often.
                followAt = now + Self.followSeconds * Double(1 + handedFiles / Self.actionsAtOnce)
            }
            return min(next, now + Self.followSeconds)
        } catch {
            log.record(.error, "\(request.folder): \(Failure(error).message)")
            return now + FolderWatcher.absentSeconds
        }
    }

    /// Waits for events.
    ///
    /// - Returns: `false` where there are none, and nothing was waited for.
    func wait(seconds: Double) -> Bool {
        (try? watcher.wait(seconds: seconds)) ?? false
    }

    private static func hand(
        _ file: WatchedFile, _ request: WatchRequest, _ queue: QueueAccess
    ) throws(WatchError) -> String {
        do {
            let spec = try request.spec(for: file)
            guard try queue.submit([spec]) != [.conflict] else {
                throw WatchError.unreadable(
                    setting: "job \(spec.id)", reason: "another job of that name runs")
            }
            return spec.id.rawValue
        } catch let error as WatchError {
            throw error
        } catch let error as Failure {
            throw .unreadable(setting: "the queue", reason: error.message)
        } catch {
            throw .unreadable(setting: file.path, reason: "\(error)")
        }
    }

    /// Notes how jobs ended.
    private func follow() throws(WatchError) {
        try takeUpRetried()
        let handed = try ledger.handed(in: request.folder)
        handedFiles = handed.count
        guard !handed.isEmpty else { return }
        // A queue that cannot be asked now is asked again.
        guard let states = try? queue.states(JobFilter(ids: handed.compactMap(\.jobID))) else {
            return
        }
        for file in handed {
            guard let id = file.jobID else { continue }
            switch states[id] {
            case .queued, .scheduled, .running: continue
            case .succeeded, .cached:
                let action = request.after.map {
                    SourceAction(of: file, job: id.rawValue, kind: $0)
                }
                _ = try ledger.end(file, as: .done, then: action)
                log.record(.info, "\(request.folder): \(file.path) is done")
            case .failed, .cancelled, .quarantined: try endFailed(file, id)
            // Its job was forgotten, perhaps after it had succeeded: the cache knows.
            case nil: try handAgain(file)
            }
        }
    }

    /// Follows jobs again that somebody has had retried.
    private func takeUpRetried() throws(WatchError) {
        let failed = try ledger.failed(in: request.folder)
        guard !failed.isEmpty,
            let states = try? queue.states(JobFilter(ids: failed.compactMap(\.jobID)))
        else { return }
        for var file in failed {
            switch file.jobID.flatMap({ states[$0] }) {
            case .failed, .cancelled, .quarantined, nil: continue
            case .queued, .scheduled, .running, .succeeded, .cached:
                (file.state, file.reason) = (.handed, nil)
                try ledger.record(file)
            }
        }
    }

    private func endFailed(_ file: WatchedFile, _ id: JobID) throws(WatchError) {
        let fault = (try? queue.job(id))??.fault
        guard fault?.code == "inputMissing" else {
            _ = try ledger.end(
                file, as: .failed, reason: fault?.message ?? "its job did not succeed")
            return
        }
        // It was renamed or removed before its turn came.
        if FileManager.default.fileExists(atPath: "\(file.folder)/\(file.path)") {
            try handAgain(file)
        } else {
            try ledger.forget(file)
            watcher.forget(file)
        }
    }

    private func handAgain(_ file: WatchedFile) throws(WatchError) {
        var file = file
        file.job = try Self.hand(file, request, queue)
        try ledger.record(file)
    }

    /// Does with sources what is due.
    private func act() throws(WatchError) {
        for action in try ledger.dueActions(in: request.folder, limit: Self.actionsAtOnce) {
            do throws(WatchError) {
                let outcome = try perform(action)
                try ledger.finish(action)
                WatchTalk(log, request.folder).tell(outcome, of: action)
            } catch {
                if case .store = error { throw error }
                let reason = Failure(error).message
                let seconds = min(
                    Self.firstRetrySeconds * exp2(Double(min(action.tries, 20))),
                    Self.longestRetrySeconds)
                try ledger.postpone(action, because: reason, bySeconds: seconds)
                log.record(
                    .warning, "\(action.path) could not be \(action.kind.past) yet: \(reason)")
            }
        }
    }

    private func perform(_ action: SourceAction) throws(WatchError) -> SourceOutcome {
        let job = (try? queue.job(JobID(rawValue: action.job))) ?? nil
        guard let result = job?.result else {
            throw .unavailable(path: action.path, reason: "its output is not known any more")
        }
        let output = FinishedOutput(
            path: result.output, bytes: result.bytes, sha256: result.sha256)
        // The source goes only while the output stands as it was recorded.
        try output.require()
        if action.kind == .replace { try expectOutput(output, of: action) }
        return try actions.perform(action, output: output)
    }

    /// Notes the output's content before it lies in the folder: it is no new source.
    ///
    /// Under a name that no file has, so that whichever it gets there is known for the same content.
    private func expectOutput(
        _ output: FinishedOutput, of action: SourceAction
    ) throws(WatchError) {
        let file = open(output.path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .failed(path: output.path, errno: errno) }
        defer { close(file) }
        guard let content = try Fingerprint.ofFile(file, path: output.path) else {
            throw .failed(path: output.path, errno: EAGAIN)
        }
        var known = WatchedFile(
            folder: action.folder, path: ".takeup-\(action.job).output",
            identity: action.identity, fingerprint: content, work: WatchedFile.ownOutput)
        (known.state, known.job) = (.done, action.job)
        try ledger.record(known)
    }

    /// What says which names are passed over.
    private final class Rules {
        var ignored = IgnoreFile()
    }
}

extension WatchedFile {
    fileprivate var jobID: JobID? { job.map { JobID(rawValue: $0) } }
}

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

    init(
        _ request: WatchRequest, _ queue: QueueAccess, _ ledger: WatchLedger,
        _ context: CommandContext, _ log: Log
    ) throws(WatchError) {
        (self.request, self.queue, self.ledger, self.log) = (request, queue, ledger, log)
        let clock = WatchClock(forward: context.now, wall: context.wallClock)
        let duties = WatchDuties(
            reasonToPassOver: { request.reasonToPassOver($0) },
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
            holdsSame: { descriptor, action in
                (try? Fingerprint.ofFile(descriptor, path: action.path)) == action.fingerprint
            })
    }

    /// Whether everything that is there has been looked at and has come to its end.
    var isDone: Bool {
        get throws(WatchError) {
            guard watcher.isAvailable, watcher.hasScanned, watcher.waitingFiles == 0 else {
                return false
            }
            let handed = try ledger.handed().filter { $0.folder == request.folder }
            let actions = try ledger.actions(in: request.folder)
            return handed.isEmpty && actions.isEmpty
        }
    }

    /// Does what is due.
    ///
    /// - Returns: When to come again, in seconds of the forward clock.
    func step(now: Double) -> Double {
        do throws(WatchError) {
            let next = try watcher.step()
            try follow()
            if watcher.isAvailable { try act() }
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
        let handed = try ledger.handed().filter { $0.folder == request.folder }
        guard !handed.isEmpty else { return }
        let ids = handed.compactMap { $0.job.map { JobID(rawValue: $0) } }
        // A queue that cannot be asked now is asked again.
        guard let states = try? queue.states(JobFilter(ids: ids)) else { return }
        for file in handed {
            guard let job = file.job else { continue }
            switch states[JobID(rawValue: job)] {
            case .queued, .scheduled, .running: continue
            case .succeeded, .cached:
                let action = request.after.map { SourceAction(of: file, job: job, kind: $0) }
                _ = try ledger.end(file, as: .done, then: action)
            case .failed, .cancelled, .quarantined, nil:
                let fault = (try? queue.job(JobID(rawValue: job)))??.fault
                _ = try ledger.end(
                    file, as: .failed, reason: fault?.message ?? "its job did not succeed")
            }
        }
    }

    /// Does with sources what is due.
    private func act() throws(WatchError) {
        let due = try ledger.dueActions(limit: Self.actionsAtOnce)
        for action in due where action.folder == request.folder {
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
        guard action.kind == .replace else { return try actions.perform(action) }
        let job = (try? queue.job(JobID(rawValue: action.job))) ?? nil
        guard let output = job?.result?.output else {
            throw .unavailable(path: action.path, reason: "its output is not known any more")
        }
        try expectOutput(output, of: action)
        return try actions.perform(action, output: output)
    }

    /// Notes the output's content under the name that it will have, before it has it: it is no new source.
    private func expectOutput(_ output: String, of action: SourceAction) throws(WatchError) {
        let file = open(output, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .failed(path: output, errno: errno) }
        defer { close(file) }
        guard let content = try Fingerprint.ofFile(file, path: output) else {
            throw .failed(path: output, errno: EAGAIN)
        }
        let target = SourceActions.target(of: action.path, replacedBy: output)
        var known = WatchedFile(
            folder: action.folder, path: target, identity: action.identity, fingerprint: content,
            work: request.work)
        (known.state, known.job) = (.done, action.job)
        try ledger.record(known)
    }
}

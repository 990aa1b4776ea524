internal import Foundation
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTelemetry
package import TakeupWatch

/// What becomes of sources whose jobs have ended.
extension WatchedFolder {
    private static let firstRetrySeconds = 5.0
    private static let longestRetrySeconds = 3600.0

    /// A source of a failed job is not set aside before it stood still for so many times `--stable`: a writer that
    /// goes on after a pause would begin another file under its name.
    private static let asideFactor = 3.0

    /// Whether a source that failed may still be written.
    ///
    /// - Parameters:
    ///   - ageSeconds: Since its last change; below 0 where a clock was set.
    ///   - stableSeconds: How long a file has to stand still at least.
    /// - Returns: `false` also where a clock was set back.
    package static func mayGoOn(ageSeconds: Double, stableSeconds: Double) -> Bool {
        ageSeconds >= 0 && ageSeconds < asideFactor * stableSeconds
    }

    private func mayGoOn(_ action: SourceAction) -> Bool {
        guard action.kind == .setAside,
            let mark = (try? FileMark.of(action.path, below: request.folder)) ?? nil
        else { return false }
        let changed = Double(mark.identity.modifiedNanoseconds) / 1e9
        return Self.mayGoOn(
            ageSeconds: wallClock() - changed, stableSeconds: watcher.stableSeconds)
    }

    /// Does with sources what is due, for a second: the others stay due.
    package func act() throws(WatchError) {
        let begin = ContinuousClock.now
        for action in try ledger.dueActions(in: request.folder, limit: Self.actionsAtOnce) {
            if mayGoOn(action) { continue }
            do throws(WatchError) {
                if try makeAgain(action) { continue }
                let outcome = try perform(action)
                if outcome == .gone {
                    // It may have another name, and be found under it.
                    try ledger.park(action)
                    watcher.lookAgain(at: action.path)
                } else {
                    try ledger.finish(
                        action, isDone: outcome != .changed,
                        telling: hooks.notices(action, outcome))
                }
                WatchLog(log, request.folder).tell(outcome, of: action)
            } catch {
                if case .store = error { throw error }
                if life.isStopped { return }
                try postpone(action, Failure(error).message)
            }
            if life.isStopped || ContinuousClock.now - begin > .seconds(1) { return }
        }
    }

    private func postpone(_ action: SourceAction, _ reason: String) throws(WatchError) {
        let seconds = min(
            Self.firstRetrySeconds * exp2(Double(min(action.tries, 20))),
            Self.longestRetrySeconds)
        try ledger.postpone(action, because: reason, bySeconds: seconds)
        guard action.reason != reason else { return }
        log.record(
            .warning,
            "\(request.folder): \(action.path) could not be \(action.kind.past) yet: \(reason)")
    }

    /// Has a file made again whose output has gone beneath the place of a disk; the cache has it still.
    ///
    /// - Returns: `false` for any other.
    private func makeAgain(_ action: SourceAction) throws(WatchError) -> Bool {
        guard doubtful[action.job] != nil, action.kind != .setAside,
            let result = (try? queue.job(JobID(rawValue: action.job)))??.result,
            Folder.isAbsent(result.output),
            var file = try ledger.file(action.path, in: request.folder), file.job == action.job
        else { return false }
        try requireOutputRoot()
        file.again += 1
        try handAgain(file, .named)
        try ledger.finish(action)
        return true
    }

    private func perform(_ action: SourceAction) throws(WatchError) -> SourceOutcome {
        let policy = try book.policy(for: action.path)
        if action.kind == .setAside {
            // Nothing came of it that would have to stand.
            guard policy.setsFailedAside else { return .changed }
            try duties.noteAside(request.failed)
            let outcome = try actions.perform(action)
            if case .done = outcome { try ledger.expectAgain(action) }
            return outcome
        }
        // Settings may say otherwise by now.
        guard policy.after == action.kind else { return .changed }
        if action.kind == .move { try duties.noteAside(request.done) }
        let job = try Self.job(JobID(rawValue: action.job), in: queue)
        guard let result = job?.result else {
            throw .unavailable(path: action.path, reason: "its output is not known any more")
        }
        let output = FinishedOutput(
            path: result.output, bytes: result.bytes, sha256: result.sha256)
        // The source goes only while the output stands as it was recorded.
        try output.require(isStopped: { life.isStopped })
        // Its disk may have gone between the two, and what was read lie beneath its place.
        try requireOutputRoot()
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
}

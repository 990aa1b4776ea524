package import TakeupJobs
internal import Foundation
internal import TakeupModel
package import TakeupWatch

/// What its daemon has noted of one file, and what came of its job.
package struct FileHistory: Sendable {
    /// nil when nothing became of it.
    package let file: WatchedFile?
    private let job: JobRecord?
    private let action: SourceAction?
    private let isAskedAgain: Bool

    /// - Parameters:
    ///   - file: What is known of it; nil when nothing is.
    ///   - place: The file's.
    ///   - ledger: nil when nothing was ever watched.
    ///   - queue: nil when it cannot be asked.
    /// - Throws: `WatchError.store`.
    package init(
        of file: WatchedFile?, at place: WatchedPath, _ ledger: WatchLedger?, _ queue: QueueAccess?
    ) throws(WatchError) {
        self.file = file
        job = file?.jobID.flatMap { id in (try? queue?.job(id)) ?? nil }
        action = try ledger?.actions(in: place.folder).first { $0.path == place.path }
        isAskedAgain = try ledger?.askedAgain(in: place.folder).contains(place.path) ?? false
    }

    /// The output that there is of a file as it is now, or was when it went.
    package func output(_ found: FoundFile) -> String? {
        guard let file, file.state == .done, let result = job?.result,
            found.mark == nil || found.mark?.identity == file.identity
        else { return nil }
        return result.output
    }

    /// Whether a file that is as it was is looked at anew, as `work` is to be made of it now; empty where that is what it was.
    package func renewal(
        _ found: FoundFile, _ work: String, on change: Recognition.WorkChange
    ) -> [ExplanationPoint] {
        guard let file, found.mark?.identity == file.identity,
            file.work != work, file.work != WatchedFile.ownOutput
        else { return [] }
        let isLeft = change == .ignore && !file.work.isEmpty && file.state != .skipped
        return [
            ExplanationPoint(
                question: "by these settings",
                answer: isLeft
                    ? "something else would be made of it, but on-preset-change leaves it as it is"
                    : "something else is to be made of it: it is looked at anew")
        ]
    }

    /// Why a source whose output stands is where it was, though `wanted` is to become of such; empty where it is not so.
    package func stay(_ found: FoundFile, _ wanted: SourceAction.Kind?) -> [ExplanationPoint] {
        guard let wanted, action == nil, !isAskedAgain, let file, file.state == .done,
            file.acted == nil, file.work != WatchedFile.ownOutput,
            found.mark?.identity == file.identity,
            let result = job?.result
        else { return [] }
        let reason =
            WatchedFolder.loss(result, for: wanted).map {
                "as its output lacks a part: \($0)"
            }
            ?? "as Takeup finished it before the settings named an action; reprocess it to apply the action"
        return [ExplanationPoint(question: "source", answer: "stays, \(reason)")]
    }

    package func points(_ found: FoundFile) -> [ExplanationPoint] {
        guard let file else {
            return [ExplanationPoint(question: "so far", answer: "nothing became of it")]
        }
        var points = [
            ExplanationPoint(
                question: "so far",
                answer: Self.words(file.state.rawValue, file.reason ?? stateOfJob(of: file)))
        ]
        if let job = file.job { points.append(ExplanationPoint(question: "job", answer: job)) }
        if let output = output(found) {
            let isThere = access(output, F_OK) == 0
            points.append(
                ExplanationPoint(
                    question: "output",
                    answer: isThere ? output : "\(output), which is not there any more"))
        }
        if let now = found.mark?.identity, now != file.identity {
            points.append(
                ExplanationPoint(
                    question: "since then", answer: "the file has changed: it is looked at anew"))
        }
        if isAskedAgain {
            points.append(
                ExplanationPoint(
                    question: "still to do",
                    answer: "it is asked for again: its daemon, or the next one, makes it"))
        }
        if let action {
            points.append(
                ExplanationPoint(
                    question: "still to do", answer: Self.words(action.kind.rawValue, action.reason)
                ))
        }
        return points
    }

    /// How far the job of a file has come; nil when that is in the file's own state.
    private func stateOfJob(of file: WatchedFile) -> String? {
        guard file.state == .handed, let job else { return nil }
        if job.state.isTerminal {
            return "its job is \(job.state.rawValue), which the next look of its daemon takes up"
        }
        return ["its job is \(job.state.rawValue)", progress(of: job)].compactMap(\.self)
            .joined(separator: ": ")
    }

    /// How far a job has come that runs, or what one waits for; nil where nothing is known.
    private func progress(of job: JobRecord) -> String? {
        if job.state == .running {
            return job.progress.map { "\(Int($0.fraction * 100)) % (\($0.phase))" }
        }
        return job.note ?? job.fault.map { "it is tried again after: \($0.message)" }
    }

    private static func words(_ word: String, _ reason: String?) -> String {
        [word, reason].compactMap(\.self).joined(separator: ": ")
    }
}

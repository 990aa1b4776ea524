import Foundation
import TakeupFiles
import TakeupJobs
import TakeupTelemetry
import TakeupWatch

/// How files become jobs.
extension WatchedFolder {
    /// Queues a file.
    ///
    /// - Returns: The job's id; the same for the same file.
    static func hand(
        _ file: WatchedFile, _ request: WatchRequest, _ book: TreatmentBook, _ queue: QueueAccess,
        _ form: Form = .first
    ) throws(WatchError) -> String {
        do {
            let choice = try book.choice(
                for: file.path, bytes: file.identity.bytes, file.facts)
            let spec =
                switch form {
                case .first:
                    try request.spec(for: file, choice, trial: choice.onlySmaller)
                case .named: try request.spec(for: file, choice, trial: false)
                case .replacing(let output):
                    try request.spec(for: file, choice, trial: false, replacing: output)
                }
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

    /// Which of a file's jobs is queued.
    enum Form {
        /// The first: on trial where only a smaller output counts.
        case first
        /// The one that gives a result its name.
        case named
        /// One whose output takes the place of an earlier one.
        case replacing(String)
    }

    func handAgain(_ file: WatchedFile, _ form: Form = .first) throws(WatchError) {
        var file = file
        file.job = try Self.hand(file, request, book, queue, form)
        (file.state, file.reason) = (.handed, nil)
        try ledger.record(file)
    }

    /// Takes up files that somebody wants made again.
    func takeUpAgain() throws(WatchError) {
        for path in try ledger.askedAgain(in: request.folder) {
            guard var file = try ledger.file(path, in: request.folder), isUnchanged(file),
                file.state == .done || file.state == .failed
            else {
                try takeAsNew(path)
                continue
            }
            file.again += 1
            let output = earlierOutput(of: file)
            file.job = try Self.hand(
                file, request, book, queue, output.map { .replacing($0) } ?? .first)
            (file.state, file.reason) = (.handed, nil)
            try ledger.answerAgain(path, in: request.folder, with: file)
            log.record(.info, "\(request.folder): \(path) is made again as \(file.job ?? "")")
        }
    }

    /// What nothing became of yet, or what has changed since, is looked at like any new file; what is under way stays so.
    private func takeAsNew(_ path: String) throws(WatchError) {
        let file = try ledger.file(path, in: request.folder)
        if let file, file.state == .handed || file.work == WatchedFile.ownOutput {
            try ledger.answerAgain(path, in: request.folder, with: file)
            return
        }
        try ledger.answerAgain(path, in: request.folder, with: nil)
        watcher.lookAgain(at: path)
    }

    private func isUnchanged(_ file: WatchedFile) -> Bool {
        ((try? FileMark.of(file.path, below: file.folder)) ?? nil)?.identity == file.identity
    }

    /// The output that an earlier job gave a file, as long as it is still that.
    private func earlierOutput(of file: WatchedFile) -> String? {
        guard request.output != nil, let id = file.jobID, let job = (try? queue.job(id)) ?? nil,
            job.spec.output != nil, let result = job.result
        else { return nil }
        let output = FinishedOutput(
            path: result.output, bytes: result.bytes, sha256: result.sha256)
        do throws(WatchError) { try output.require() } catch { return nil }
        return result.output
    }
}

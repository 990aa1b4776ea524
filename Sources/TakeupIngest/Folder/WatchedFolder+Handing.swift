internal import Foundation
internal import TakeupFiles
package import TakeupJobs
internal import TakeupModel
internal import TakeupTelemetry
package import TakeupWatch

/// How files become jobs.
extension WatchedFolder {
    /// Queues a file.
    ///
    /// - Returns: The job's id; the same for the same file.
    package static func hand(
        _ file: WatchedFile, _ request: WatchRequest, _ book: FolderPolicyResolver,
        _ queue: QueueAccess,
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
            switch try queue.submit([spec]).first {
            case .accepted, .duplicate, .again, nil: break
            case .conflict:
                throw WatchError.unreadable(
                    setting: "job \(spec.id)", reason: "another job of that name runs")
            case .refused(let fault):
                throw WatchError.unreadable(setting: "job \(spec.id)", reason: fault.message)
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
    package enum Form {
        /// The first: on trial where only a smaller output counts.
        case first
        /// The one that gives a result its name.
        case named
        /// One whose output takes the place of an earlier one.
        case replacing(String)
    }

    package func handAgain(_ file: WatchedFile, _ form: Form = .first) throws(WatchError) {
        var file = file
        file.job = try Self.hand(file, request, book, queue, form)
        (file.state, file.reason) = (.handed, nil)
        try ledger.record(file)
    }

    /// Takes up files that somebody wants made again, for a second: the others stay asked for.
    package func takeUpAgain() throws(WatchError) {
        let begin = ContinuousClock.now
        for path in try ledger.askedAgain(in: request.folder) {
            do throws(WatchError) {
                try takeUpAgain(path)
                calm(path)
            } catch {
                if case .store = error { throw error }
                complain(error, of: path)
            }
            if life.isStopped || ContinuousClock.now - begin > .seconds(1) { return }
        }
    }

    private func takeUpAgain(_ path: String) throws(WatchError) {
        guard var file = try ledger.file(path, in: request.folder),
            file.state == .done || file.state == .failed, try isUnchanged(file)
        else { return try takeAsNew(path) }
        file.again += 1
        let isTrial = try book.choice(
            for: path, bytes: file.identity.bytes, file.facts
        ).onlySmaller
        let output = isTrial ? nil : earlierOutput(of: file)
        file.job = try Self.hand(
            file, request, book, queue, output.map { .replacing($0) } ?? .first)
        (file.state, file.reason) = (.handed, nil)
        try ledger.answerAgain(path, in: request.folder, with: file)
        log.record(.info, "\(request.folder): \(path) is made again as \(file.job ?? "")")
    }

    /// What nothing became of yet, or what has changed since, is looked at like any new file; what is under way stays so.
    private func takeAsNew(_ path: String) throws(WatchError) {
        let file = try ledger.file(path, in: request.folder)
        if let file, file.state == .handed || file.work == WatchedFile.ownOutput {
            try ledger.answerAgain(path, in: request.folder, with: file)
            return
        }
        // Whatever it holds when it is there, it is new then, and its job another one.
        var again = file
        again?.again += 1
        again?.work = ""
        try ledger.answerAgain(path, in: request.folder, with: again)
        watcher.lookAgain(at: path)
    }

    /// Whether its name leads to a file, whatever that holds.
    package func isThere(_ file: WatchedFile) throws(WatchError) -> Bool {
        try FileMark.of(file.path, below: file.folder) != nil
    }

    /// Whether a file still is, or at least holds, what is known of it.
    ///
    /// - Throws: `WatchError` when that cannot be told.
    package func isUnchanged(_ file: WatchedFile) throws(WatchError) -> Bool {
        guard let mark = try FileMark.of(file.path, below: file.folder) else { return false }
        if mark.identity == file.identity { return true }
        guard mark.identity.bytes == file.identity.bytes else { return false }
        let descriptor = AnchoredPath.open(file.path, below: file.folder, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .failed(path: file.path, errno: errno) }
        defer { close(descriptor) }
        return try Fingerprint.ofFile(descriptor, path: file.path) == file.fingerprint
    }

    /// The job of a file; nil when the queue has none any more.
    ///
    /// - Throws: `WatchError.unreadable` for a queue that cannot be asked now.
    static func job(_ id: JobID, in queue: QueueAccess) throws(WatchError) -> JobRecord? {
        do throws(Failure) {
            return try queue.job(id)
        } catch {
            throw .unreadable(setting: "the queue", reason: error.message)
        }
    }

    /// The output that an earlier job gave a file, as long as it is still that.
    private func earlierOutput(of file: WatchedFile) -> String? {
        guard request.output != nil, let id = file.jobID, let job = (try? queue.job(id)) ?? nil,
            job.spec.request.output != nil, let result = job.result
        else { return nil }
        let output = FinishedOutput(
            path: result.output, bytes: result.bytes, sha256: result.sha256)
        do throws(WatchError) {
            try output.require(isStopped: { life.isStopped })
        } catch {
            return nil
        }
        return result.output
    }
}

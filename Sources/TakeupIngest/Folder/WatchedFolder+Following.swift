internal import Foundation
internal import TakeupFiles
package import TakeupJobs
internal import TakeupModel
internal import TakeupTelemetry
package import TakeupWatch

/// How jobs end, and what follows for their files.
extension WatchedFolder {
    /// Notes how jobs ended.
    package func follow() throws(WatchError) {
        let handed = try ledger.handed(in: request.folder)
        handedFiles = handed.count
        guard !handed.isEmpty else { return }
        // A queue that cannot be asked now is asked again.
        guard var states = try? queue.states(JobFilter(ids: handed.compactMap(\.jobID))) else {
            return
        }
        let ended = states.filter(\.value.isTerminal).map(\.key)
        if !ended.isEmpty {
            guard let records = try? queue.confirmed(JobFilter(ids: ended)) else { return }
            for record in records { states[record.id] = record.state }
        }
        for file in handed {
            if life.isStopped { return }
            guard let id = file.jobID else { continue }
            do throws(WatchError) {
                try conclude(file, id, states[id])
                calm(file.path)
            } catch {
                if case .store = error { throw error }
                // The others do not wait for one.
                complain(error, of: file.path)
            }
        }
    }

    private func conclude(
        _ file: WatchedFile, _ id: JobID, _ state: JobState?
    ) throws(WatchError) {
        switch state {
        case .queued, .scheduled, .running: return
        case .succeeded, .cached:
            // A queue that cannot be asked now is asked again.
            guard let job = (try? queue.job(id)) ?? nil, let result = job.result else { return }
            try endWell(file, id, result, hasOutput: job.spec.request.output != nil)
        case .failed, .cancelled, .quarantined: try endFailed(file, id)
        // Its job was forgotten, perhaps after it had succeeded: the cache knows.
        case nil: try handAgain(file)
        }
    }

    private func endWell(
        _ file: WatchedFile, _ id: JobID, _ result: JobResult, hasOutput: Bool
    ) throws(WatchError) {
        let policy = try book.policy(for: file.path)
        if id.rawValue.hasPrefix(WatchRequest.trialPrefix) {
            guard result.bytes < file.identity.bytes else {
                return try skip(file, resultBytes: result.bytes)
            }
            if request.output != nil { return try handAgain(file, .named) }
        }
        if hasOutput, doubtful[id.rawValue] != nil, Folder.isAbsent(result.output) {
            // It was written beneath the place of a disk that was away; the cache has it still.
            var file = file
            file.again += 1
            return try handAgain(file, .named)
        }
        let action = kind(policy.after, result, file).map {
            SourceAction(of: file, job: id.rawValue, kind: $0)
        }
        let told = try hooks.notices(.done, of: file) { event in
            event.output = HookEvent.Output(
                path: result.output, bytes: result.bytes, sha256: result.sha256,
                duration: result.duration)
        }
        _ = try ledger.end(file, as: .done, then: action, telling: told)
        missed.remove(id)
        // What lies in the cache alone has no name that lasts.
        let place = hasOutput ? ": \(result.output)" : ""
        log.record(
            .info, "\(request.folder): \(file.path) is done\(place)",
            [LogField("bytes", result.bytes), LogField("sourceBytes", file.identity.bytes)])
    }

    /// What of a source is not in its output, by the words of warnings.
    private static let losses: Set<String> = [
        "trackUndecodable", "subtitleDropped", "lossSalvaged", "cutPacket", "endLeftOut",
        "sourceHole",
    ]

    /// What an output lacks, so that its source is not given up for it; nil when nothing stands against that.
    package static func loss(_ result: JobResult, for kind: SourceAction.Kind) -> String? {
        guard kind != .move else { return nil }
        return result.warnings.first { losses.contains($0.code) }?.message
    }

    private func kind(
        _ wanted: SourceAction.Kind?, _ result: JobResult, _ file: WatchedFile
    ) -> SourceAction.Kind? {
        guard let wanted, let loss = Self.loss(result, for: wanted) else { return wanted }
        log.record(
            .warning,
            "\(request.folder): \(file.path) stays, as its output lacks a part: \(loss)")
        return nil
    }

    /// A result that is no smaller stays in the cache for its time, and the source as it is.
    private func skip(_ file: WatchedFile, resultBytes: Int64) throws(WatchError) {
        var file = file
        (file.state, file.job) = (.skipped, nil)
        file.reason =
            "its output would be no smaller: \(resultBytes) bytes, of \(file.identity.bytes)"
        try ledger.record(file, telling: hooks.notices(.skipped, of: file))
        WatchLog(log, request.folder).tell(.skipped(file))
    }

    /// Follows jobs again that somebody has had retried.
    package func takeUpRetried() throws(WatchError) {
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
        if doubtful[id.rawValue] == true {
            // It may have failed for the disk that was away.
            var file = file
            file.again += 1
            return try handAgain(file)
        }
        let fault = try Self.job(id, in: queue)?.fault
        if fault?.code != "inputMissing", try isThere(file), try !isUnchanged(file) {
            // It was not whole: its writer has gone on, and the end of that job says nothing about what there is now.
            log.record(
                .info, "\(request.folder): \(file.path) has changed since it was taken, and waits")
            missed.remove(id)
            try ledger.forget(file)
            return watcher.lookAgain(at: file.path)
        }
        // Once: what the worker cannot find twice it will not find.
        guard fault?.code == "inputMissing", !missed.contains(id) else {
            let setsAside = try book.policy(for: file.path).setsFailedAside
            let action =
                setsAside ? SourceAction(of: file, job: id.rawValue, kind: .setAside) : nil
            let reason = fault?.message ?? "its job did not succeed"
            let told = try hooks.notices(.failed, of: file) { event in
                event.fault = HookEvent.Fault(
                    code: fault?.code ?? "failed", message: reason, hint: fault?.hint ?? "")
            }
            if try ledger.end(file, as: .failed, reason: reason, then: action, telling: told) {
                failedFiles += 1
                log.record(.warning, "\(request.folder): \(file.path) has failed: \(reason)")
            }
            missed.remove(id)
            return
        }
        // It was renamed or removed before its turn came.
        if try isUnchanged(file) {
            missed.insert(id)
            try handAgain(file)
        } else {
            try ledger.forget(file)
            watcher.lookAgain(at: file.path)
        }
    }
}

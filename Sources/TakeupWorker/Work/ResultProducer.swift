internal import Foundation
internal import TakeupCache
internal import TakeupDigest
internal import TakeupModel
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupOutput
internal import TakeupProcess
internal import TakeupMediaClient

/// Makes a job's result in a helper and puts it into the cache.
final class ResultProducer {
    /// Bytes by which the free space must grow before a full disk is tried again.
    private static let leastGrowth: Int64 = 1 << 20

    let work: JobAttempt
    private let sources: OpenSources
    let key: String
    private var estimate: Int64?
    private var isReserved = false
    private var lacksRoom = false
    /// The estimate is more than the disk could ever hold; it may be too high.
    private var exceedsDisk = false

    init(_ work: JobAttempt, _ sources: OpenSources, key: String) {
        (self.work, self.sources, self.key) = (work, sources, key)
    }

    var hold: LeaseHold { work.hold }
    var tools: WorkTools { work.tools }

    /// - Returns: The entry and its file, held.
    func perform() throws(AttemptEnd) -> CachedResult {
        if let made = try announced() { return made }
        guard sources.descriptorCount <= mostSources else { throw tooManySources }
        // A bucket that may not be used is found out before the work, not after it.
        try work.cache { (cache) throws(CacheError) in try cache.requirePlace() }
        try requireRoom(0)
        work.pass(.beforeStage)
        let staged = try work.cache { (cache) throws(CacheError) in try cache.objects.stage() }
        work.pass(.afterStage)
        work.pass(.beforeExport)
        let report = try export(into: staged)
        work.pass(.afterExport)
        try sources.requireUnchanged()
        let digest = try durableDigest(of: staged)
        return try publish(staged, digest, report)
    }

    /// Files that a helper can have open beside its own; a source that is fetched counts twice.
    private var mostSources: Int { Int(tools.helper.openFiles) - 256 }

    private var tooManySources: AttemptEnd {
        .outcome(
            .failed(
                Failure(
                    ExportError.invalidRequest(
                        reason: "it joins too many sources, or its description is too long",
                        hint: "join at most \(mostSources) at once, and the results again")),
                retryable: false))
    }

    private func requireRoom(_ bytes: Int64) throws(AttemptEnd) {
        let hasRoom = try work.cache { (cache) throws(CacheError) in
            try cache.makeRoom(bytes: bytes)
        }
        guard hasRoom else {
            throw .noRoom(path: tools.cache.objects.path, needBytes: bytes)
        }
    }

    private func export(into staged: PartialFile) throws(AttemptEnd) -> ExportReport {
        var request = work.spec.request
        request.output = request.output ?? "the result of job '\(work.spec.id)'"
        request.settings.encoderThreads = tools.threads
        // The worker hashes what it was given itself.
        request.settings.computesChecksum = false
        let task = HelperRequest(
            request, sourceNames: sources.names, files: sources.helperFiles)
        let feeds = try sources.feeds(work.fetching)
        defer { feeds.stop() }
        let run: HelperRun
        do throws(ProcessError) {
            run = try tools.helper.run(
                task, (sources: feeds.descriptors, output: staged.descriptor),
                isStopped: { [self] in hold.stop != nil || lacksRoom },
                isWaiting: { feeds.isWaiting }, onEvent: { [self] in take($0, staged) })
        } catch {
            guard error.errno != EMSGSIZE else { throw tooManySources }
            throw .outcome(
                .returned(
                    note: "no export process could be started: \(error)",
                    delaySeconds: work.waitSeconds))
        }
        tools.logs.write(log(of: run), of: hold.lease)
        // The helper only knows that a read failed; what was salvaged then is no result either.
        if hold.stop == nil, let failure = sources.failure { throw work.fetching.end(failure) }
        if hold.stop == nil, let fault = feeds.desk?.fault {
            try sources.requireUnchanged()
            throw .outcome(.failed(Failure(fault), retryable: true))
        }
        return try report(run.outcome, staged)
    }

    private func log(of run: HelperRun) -> String {
        guard case .crashed(let crash) = run.outcome else { return run.log }
        return "\(run.log)\nthe export's process \(crash.cause)\n"
    }

    private func report(
        _ outcome: HelperOutcome, _ staged: PartialFile
    ) throws(AttemptEnd) -> ExportReport {
        switch outcome {
        case .answered:
            guard let report = outcome.report else { throw .stopped }
            return report
        case .cancelled:
            if lacksRoom { throw tooLarge }
            throw .stopped
        case .failed(let cause):
            let failure = cause.report
            switch failure.disposition {
            case .diskFull:
                throw exceedsDisk ? tooLargeForDisk : noRoom(staged)
            case .retry, .giveUp, .cancelled:
                // A helper that gives up without having been asked has failed.
                if failure.disposition == .cancelled, hold.stop != nil { throw .stopped }
                let canHeal = failure.disposition != .giveUp
                throw .outcome(.failed(failure, retryable: canHeal))
            }
        case .crashed, .hung, .memoryExceeded:
            guard var failure = outcome.failure else { throw .stopped }
            let id = work.spec.id
            failure.hint +=
                "; its log is \(tools.logs.path(of: id)), over HTTP /v1/jobs/\(id.rawValue)/log"
            throw .outcome(.crashed(failure))
        }
    }

    /// No other job's end makes room for this one, but another machine may have it.
    private var tooLargeForDisk: AttemptEnd {
        let fault = largerThanDisk
        return tools.store.folder == nil
            ? .diskTooSmall(reason: fault.message) : .outcome(.failed(fault, retryable: false))
    }

    private var largerThanDisk: Failure {
        let folder = tools.cache.objects.path
        let capacity = (try? FreeSpace.capacity(at: folder)) ?? 0
        var fault = Failure(ExportError.diskFull(folder))
        fault.message =
            "the result takes about \(estimate ?? 0) bytes, and the disk of the cache, \(folder), has"
            + " \(capacity), of which \(tools.cache.limits.minFreeBytes) stay free"
        fault.hint =
            "put the cache on a larger disk, let it leave less free, or make smaller outputs"
        return fault
    }

    /// The disk is full: others wait too, until more is free than will be once the staged file is gone.
    private func noRoom(_ staged: PartialFile) -> AttemptEnd {
        var facts = stat()
        let held = fstat(staged.descriptor, &facts) == 0 ? Int64(facts.st_blocks) * 512 : 0
        let free = (try? tools.cache.objects.freeBytes()) ?? 0
        let more = free + held + Self.leastGrowth - tools.cache.limits.minFreeBytes
        return .noRoom(path: tools.cache.objects.path, needBytes: max(Self.leastGrowth, more))
    }

    /// This job alone needs more than there is; others may go on.
    private var tooLarge: AttemptEnd {
        .outcome(
            .returned(
                note: "waits for \(estimate ?? 0) bytes of free space in "
                    + tools.cache.objects.path, delaySeconds: work.waitSeconds))
    }

    private func take(_ event: HelperEvent, _ staged: PartialFile) {
        switch event {
        case .planned(let plan): estimate = plan.estimatedBytes
        case .progress(let progress):
            work.pass(.duringExport)
            if progress.phase == .encode { reserve(staged) }
            work.tell(progress)
        case .warning(let warning):
            tools.emit(.warning(work.spec.id, JobResult.Warning(warning)))
        }
    }

    /// Sets room aside once it is known how much; the system gives it back if this process dies.
    private func reserve(_ staged: PartialFile) {
        guard !isReserved, let estimate, estimate > 0 else { return }
        isReserved = true
        do {
            let (path, floor) = (tools.cache.objects.path, tools.cache.limits.minFreeBytes)
            // Room that can never be had is not waited for: the disk will tell.
            exceedsDisk = estimate > (try FreeSpace.capacity(at: path)) - floor
            guard !exceedsDisk else { return }
            guard try tools.cache.makeRoom(bytes: estimate) else {
                lacksRoom = true
                return
            }
            _ = try staged.reserve(estimate)
        } catch let error as FileError {
            if case .diskFull = error { lacksRoom = true }
        } catch {
            // The cache's database did not answer: the work goes on, and a full disk shows while it is written.
            return
        }
    }

    private func durableDigest(of staged: PartialFile) throws(AttemptEnd) -> String {
        do {
            try staged.releaseReserve()
            try staged.synchronize()
            work.pass(.afterSync)
            let digest = try SHA256Digest.ofFile(staged.descriptor) { hold.stop != nil }
            work.pass(.afterHash)
            guard let digest else { throw AttemptEnd.stopped }
            return digest
        } catch let error as AttemptEnd {
            throw error
        } catch let error as FileError {
            if case .diskFull = error { throw noRoom(staged) }
            throw .outcome(.failed(Failure(ExportError(error)), retryable: true))
        } catch {
            throw .outcome(
                .failed(
                    Failure(ExportError.outputFailed(staged.destination, reason: "\(error)")),
                    retryable: true))
        }
    }
}

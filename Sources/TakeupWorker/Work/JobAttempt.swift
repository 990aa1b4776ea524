internal import TakeupCache
internal import TakeupModel
internal import TakeupFetch
internal import TakeupJobs
internal import TakeupMediaClient

/// One attempt at one job, from its sources to its result.
///
/// Every step is durable before the next one depends on it, and may be done again: a kill between any two of them
/// is repaired by the next attempt.
final class JobAttempt {
    /// What fetching has of the whole, where an export can only begin behind it.
    private static let mostFetchShare = 0.5

    let record: JobRecord
    let hold: LeaseHold
    let tools: WorkTools
    let began = ContinuousClock.now
    /// The part of the whole that fetching had, 0 to 1, where the export had to wait for all of it.
    private(set) var fetchShare = 0.0
    /// Bytes of all sources of the export; 0 if the attempt exported nothing.
    private(set) var sourceBytes: Int64 = 0

    init(_ record: JobRecord, _ hold: LeaseHold, _ tools: WorkTools) {
        var tools = tools
        tools.cache = tools.cache.stopping { hold.stop != nil }
        (self.record, self.hold, self.tools) = (record, hold, tools)
    }

    var spec: JobSpec { record.spec }

    var waitSeconds: Double { record.waitSeconds }

    /// - Returns: What to finish the attempt with.
    /// - Throws: `AttemptEnd` for every other end.
    func perform() throws(AttemptEnd) -> JobOutcome {
        do throws(AttemptEnd) { return try work() } catch { throw awaitingFolder(error) }
    }

    /// Waits for a source's folder that is away, instead of failing a job whose source nobody finds.
    ///
    /// A watched folder, whose jobs accept what they find, follows its files itself.
    private func awaitingFolder(_ end: AttemptEnd) -> AttemptEnd {
        guard case .outcome(.failed(let failure, _)) = end, failure.code == Failure.missingCode,
            spec.onReplaced == .fail
        else { return end }
        let isShared = tools.store.folder == nil
        for case (let path, let mark?) in zip(spec.request.sources, record.sourceMarks) {
            guard let folder = mark.absentFolder(of: path, isShared: isShared) else { continue }
            return .outcome(
                .returned(
                    note: "waits for the folder \(folder), which is not there or not mounted",
                    delaySeconds: waitSeconds))
        }
        return end
    }

    private func work() throws(AttemptEnd) -> JobOutcome {
        pass(.afterClaim)
        let sources = try OpenSources(
            spec, from: tools.configuration.sources, within: PictureLimit(spec.request.preset),
            fetching)
        defer { sources.close() }
        do throws(AttemptEnd) {
            return try work(on: sources)
        } catch {
            if error.blamesSources { sources.distrust() }
            throw error
        }
    }

    private func work(on sources: OpenSources) throws(AttemptEnd) -> JobOutcome {
        if spec.onReplaced != .accept { try sources.requireAccepted(record.sourceMarks) }
        try sources.requireRoom(
            in: tools.configuration.sources?.store, SourceLimits(tools.cache.limits), fetching)
        pass(.afterOpen)
        let output = try output(sources)
        try output?.check(sources)
        let digests = try sources.digests(digestMemory, fetching, probe: probe)
        pass(.afterFingerprint)
        let key = try workKey(digests)
        try admit(key)
        if let known = try answer(key, output, of: sources) { return known }
        pass(.afterLookup)
        try requireFree(output)
        try output?.requirePlace()
        let made = try ResultProducer(self, sources, key: key).perform()
        sourceBytes = sources.bytes
        return .succeeded(try deliver(made, output, of: sources))
    }

    private func output(_ sources: OpenSources) throws(AttemptEnd) -> (any JobOutput)? {
        guard let path = spec.request.output else { return nil }
        if BucketOutput.isMeant(by: path) { return try BucketDelivery(path, self) }
        return NamedOutput(
            path: path, overwrite: spec.request.settings.overwrite,
            followsLinks: spec.followsLinks,
            usesHardLinks: tools.configuration.usesHardLinks, manifest: tools.cache.manifest,
            traits: spec.attributes == .source ? sources.traits : nil)
    }

    /// How sources are fetched for this job.
    var fetching: Fetching {
        Fetching(
            wholeLimits: record.fault?.code == Failure.changedCode
                ? SourceLimits(tools.cache.limits) : nil,
            isStopped: { self.hold.stop != nil }, onProgress: { self.tell(fetching: $0) },
            cacheFolder: tools.cache.objects.path,
            minFreeBytes: tools.cache.limits.minFreeBytes)
    }

    private func tell(fetching status: LoaderStatus) {
        let part = status.totalBytes.map { Double(status.presentBytes) / Double(max(1, $0)) } ?? 0
        fetchShare = max(fetchShare, Self.mostFetchShare * min(max(part, 0), 1))
        tell(JobProgress(phase: "fetch", fraction: fetchShare))
    }

    /// Tells how far the export is, behind what fetching had of the whole.
    func tell(_ progress: ExportProgress) {
        tell(
            JobProgress(
                phase: progress.phase.rawValue,
                fraction: fetchShare + (1 - fetchShare) * progress.fraction,
                speed: progress.speed, etaSeconds: progress.etaSeconds))
    }

    private func tell(_ progress: JobProgress) {
        hold.note(progress)
        tools.emit(.progress(spec.id, progress))
    }

    /// Refuses what is no media before all of it is read; whatever else there is to say the export says.
    private func probe(
        _ source: OpenSources.LocalSource, _ descriptor: Int32
    ) throws(AttemptEnd) {
        let probe = MediaProbe(tools.probing)
        defer { probe.stop() }
        let report: Failure
        do throws(MediaProbeError) {
            let facts = try probe.facts(
                of: descriptor, name: source.name, isStopped: { hold.stop != nil })
            guard let reason = facts.cutShort, facts.isUnopened else { return }
            report = Failure(ExportError.notMedia(source.name, reason: reason))
        } catch {
            guard case .refused(let refusal) = error, refusal.disposition == .giveUp else { return }
            report = refusal
        }
        throw .outcome(.failed(report, retryable: false))
    }

    private func workKey(_ digests: [String]) throws(AttemptEnd) -> String {
        do {
            return try WorkKey.make(spec.request, digests: digests)
        } catch {
            throw .outcome(
                .failed(
                    Failure(ExportError.inputUnreadable(spec.id.rawValue, reason: "\(error)")),
                    retryable: true))
        }
    }

    /// Keeps two jobs from doing the same work at the same time.
    private func admit(_ key: String) throws(AttemptEnd) {
        pass(.beforeBegin)
        let lease = hold.lease
        let admission = try queue { (store) throws(JobStoreError) in
            try store.begin(lease, workKey: key)
        }
        switch admission {
        case .admitted: pass(.afterBegin)
        case .busy(let other):
            throw .outcome(
                .returned(
                    note: "waits for job '\(other)', which does the same work", delaySeconds: 0.5,
                    workKey: key))
        case .leaseLost:
            hold.ask(.leaseLost)
            throw .stopped
        }
    }

    /// What is there already: in the cache, or at the output's own place.
    private func answer(
        _ key: String, _ output: (any JobOutput)?, of sources: OpenSources
    ) throws(AttemptEnd) -> JobOutcome? {
        let isOwn = record.publication?.key == key
        let found = try cache { (cache) throws(CacheError) in
            isOwn ? try cache.find(key: key) : try cache.lookup(key: key)
        }
        if let found {
            let result = try deliver(found, output, of: sources)
            try cache { (cache) throws(CacheError) in
                _ = try cache.manifest.addAlias(
                    spec.id.rawValue, to: key, if: tools.store.fence(hold.lease))
                try cache.manifest.keep(
                    key, until: spec.expiresSeconds.map { tools.store.now() + $0 })
            }
            return isOwn ? .succeeded(result) : .cached(result)
        }
        guard let output, let old = record.lastResult, old.key == key else { return nil }
        return try isThere(old.output, old.bytes, old.sha256, output) ? .cached(old) : nil
    }

    /// Whether a place holds just this content.
    ///
    /// - Throws: `AttemptEnd.stopped` if the work was stopped; the answer is then unknown.
    private func isThere(
        _ place: String, _ bytes: Int64, _ sha256: String, _ output: any JobOutput
    ) throws(AttemptEnd) -> Bool {
        let found = try output.isPresent(place, bytes: bytes, sha256: sha256, for: self)
        guard found || hold.stop == nil else { throw .stopped }
        return found
    }

    /// Fails before the work is done rather than after it.
    private func requireFree(_ output: (any JobOutput)?) throws(AttemptEnd) {
        guard let output, try output.isTaken() else { return }
        throw .outcome(
            .failed(Failure(ExportError.outputExists(output.path)), retryable: false))
    }

    /// Puts a result where the job wants it.
    private func deliver(
        _ made: CachedResult, _ output: (any JobOutput)?, of sources: OpenSources
    ) throws(AttemptEnd) -> JobResult {
        let entry = made.entry
        var result = JobResult(
            output: tools.cache.objects.path(of: entry.object), key: entry.key, bytes: entry.bytes,
            sha256: entry.sha256,
            duration: entry.duration, frames: Int(entry.frames),
            seconds: (ContinuousClock.now - began) / .seconds(1),
            warnings: StoredWarnings.read(entry.warnings)
                + sources.warnings.map(JobResult.Warning.init))
        guard let output else { return result }
        let announced = record.publication.flatMap { $0.key == entry.key ? $0.output : nil }
        for place in [announced, record.lastResult?.output, output.path].compactMap(\.self)
        where try isThere(place, entry.bytes, entry.sha256, output) {
            result.output = place
            return result
        }
        try requireFree(output)
        pass(.beforeOutput)
        result.output = try output.publish(
            made, tools.configuration.failpoint,
            confirm: { name throws(AttemptEnd) in
                try announce(
                    Publication(
                        key: entry.key, sha256: entry.sha256, bytes: entry.bytes, output: name))
            }, isStopped: { hold.stop != nil })
        pass(.afterOutput)
        return result
    }

    /// Notes what is about to become visible, if the lease still stands.
    func announce(_ publication: Publication) throws(AttemptEnd) {
        guard hold.awaitPublishing() else { throw .stopped }
        let lease = hold.lease
        let holds = try queue { (store) throws(JobStoreError) in
            try store.announce(lease, publication)
        }
        guard holds else {
            hold.ask(.leaseLost)
            throw .stopped
        }
        // The answer may have taken longer than the lease, as without a standby.
        guard hold.awaitPublishing() else { throw .stopped }
    }

    func pass(_ point: Failpoint) { point.pass(tools.configuration.failpoint) }
}

internal import TakeupCache
internal import TakeupDigest
internal import TakeupJobs
internal import TakeupModel
internal import TakeupFiles
internal import TakeupTimeline

extension ResultProducer {
    /// Puts a complete file into the cache: its announcement, the file under its name, and its row, in this order.
    func publish(
        _ staged: PartialFile, _ digest: String, _ report: ExportReport
    ) throws(AttemptEnd) -> CachedResult {
        let facts = Publication.Facts(
            duration: report.duration.seconds, frames: Int64(report.frames),
            warnings: report.warnings.map(JobResult.Warning.init))
        guard let entry = entry(digest, staged.byteCount, facts) else { throw .stopped }
        work.pass(.beforeAnnounce)
        try work.announce(
            Publication(
                key: key, sha256: digest, bytes: entry.bytes, output: work.spec.request.output,
                facts: facts))
        work.pass(.afterAnnounce)
        work.pass(.beforePlace)
        let file = try work.cache { (cache) throws(CacheError) in
            try cache.place(staged, as: entry.object)
        }
        work.pass(.afterPlace)
        return try record(entry, file)
    }

    /// Records what an attempt that ended before its row was written has put into the cache.
    ///
    /// To make it again could give other bytes: x264 does not repeat itself with several threads and a bound to its bit rate.
    func announced() throws(AttemptEnd) -> CachedResult? {
        guard let publication = work.record.publication, publication.key == key,
            let facts = publication.facts,
            let entry = entry(publication.sha256, publication.bytes, facts)
        else { return nil }
        let file = try work.cache { (cache) throws(CacheError) -> ObjectFile? in
            // Asked where it is kept: this machine may have a copy of what is there no more.
            switch try cache.objects.size(of: entry.object) {
            case entry.bytes: break
            case nil:
                // A repair may have set it aside, as no row names it yet.
                let (object, bytes) = (entry.object, entry.bytes)
                guard try cache.objects.bringBack(object, bytes: bytes) else { return nil }
            default: return nil
            }
            let opening = try cache.objects.open(entry.object, bytes: entry.bytes)
            guard case .found(let file) = opening else { return nil }
            return file
        }
        guard let file, try isWhole(file) else { return nil }
        return try record(entry, file)
    }

    /// Whether a file has the content that its name says.
    private func isWhole(_ file: ObjectFile) throws(AttemptEnd) -> Bool {
        let digest = try? SHA256Digest.ofFile(file.descriptor) { hold.stop != nil }
        guard digest != nil || hold.stop == nil else { throw .stopped }
        return digest == file.object.sha256
    }

    private func record(
        _ entry: ManifestEntry, _ file: ObjectFile
    ) throws(AttemptEnd) -> CachedResult {
        let fence = tools.store.fence(hold.lease)
        let id = work.spec.id.rawValue
        let made = try work.cache { (cache) throws(CacheError) -> CachedResult? in
            let recorded = try cache.record(entry, file: file, alias: id, if: fence)
            guard let recorded else {
                hold.ask(.leaseLost)
                return nil
            }
            if recorded.object == file.object { return CachedResult(entry: recorded, file: file) }
            return try cache.find(key: key)
        }
        guard let made else { throw hold.stop == nil ? evicted : .stopped }
        work.pass(.afterRecord)
        keepLimits()
        return made
    }

    /// Another job's result of the same work stood already, and went before it could be held.
    private var evicted: AttemptEnd {
        .outcome(
            .returned(
                note: "the result of the same work has just left the cache; it is made again",
                delaySeconds: work.waitSeconds))
    }

    private func keepLimits() {
        let limits = tools.cache.limits
        guard limits.maxEntries != nil || limits.maxBytes != nil else { return }
        // The result stands already; what cannot go now goes with the next look.
        _ = try? tools.cache.clean()
    }

    /// - Returns: nil for a text that is no digest.
    private func entry(
        _ sha256: String, _ bytes: Int64, _ facts: Publication.Facts
    ) -> ManifestEntry? {
        let kind: ObjectName.FileExtension =
            work.spec.request.preset.container == .m4a ? .m4a : .mp4
        guard let name = ObjectName(sha256: sha256, fileExtension: kind) else { return nil }
        let now = tools.store.now()
        var entry = ManifestEntry(key: key, object: name, bytes: bytes, createdAt: now)
        entry.preset = work.spec.request.preset.name
        entry.source = work.spec.shownSources.joined(separator: ", ")
        entry.expiresAt = work.spec.expiresSeconds.map { now + $0 }
        (entry.duration, entry.frames) = (facts.duration, facts.frames)
        entry.warnings = StoredWarnings.write(facts.warnings)
        return entry
    }
}

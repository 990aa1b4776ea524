internal import Foundation
internal import TakeupFiles
package import TakeupJobs
internal import TakeupModel
package import TakeupWatch

/// Finds what is noted of a file that has another name now than it had.
package struct FileTrace {
    /// How often somebody may have asked for a file again whose job is looked for.
    private static let mostAgain = 8

    package let request: WatchRequest
    /// nil when nothing was ever watched.
    package let ledger: WatchLedger?
    /// nil when it cannot be asked.
    package let queue: QueueAccess?

    /// What a source was that lies where sources go: its name may have been another's before, or since.
    ///
    /// - Parameters:
    ///   - place: Where it lies.
    ///   - name: The name that its place stands for, from the watched folder on.
    /// - Returns: nil when nothing is known of it.
    /// - Throws: `WatchError`.
    package func moved(to place: WatchedPath, as name: String) throws(WatchError) -> WatchedFile? {
        guard let ledger, let mark = FoundFile(at: place).mark else { return nil }
        let names = [name, Self.withoutNumber(name)].compactMap(\.self)
        // Of files that lie elsewhere the disk tells nothing: they were copied.
        let same = try ledger.files(like: mark.identity, in: place.folder)
            .filter { $0.acted != nil }
        if let file = same.first { return file }
        guard let content = try fingerprint(of: place) else { return nil }
        let twins = try ledger.files(holding: content, in: place.folder)
            .filter { $0.acted != nil && names.contains($0.path) }
        if let file = twins.first { return file }
        for name in names {
            let file = WatchedFile(
                folder: place.folder, path: name, identity: mark.identity, fingerprint: content,
                work: "")
            if let known = try overwritten(file, ledger) { return known }
        }
        return nil
    }

    /// What the queue knows of a file whose name another one has had since.
    private func overwritten(
        _ file: WatchedFile, _ ledger: WatchLedger
    ) throws(WatchError) -> WatchedFile? {
        guard let queue else { return nil }
        for work in try ledger.works(in: file.folder) {
            for again in 0...Self.mostAgain {
                for isTrial in [false, true] {
                    var file = file
                    (file.work, file.again) = (work, again)
                    let id = request.jobID(of: file, trial: isTrial)
                    guard let job = (try? queue.job(JobID(rawValue: id))) ?? nil else { continue }
                    file.job = id
                    file.state = job.state == .failed || job.state == .quarantined ? .failed : .done
                    file.reason = file.state == .failed ? job.fault?.message : nil
                    return file
                }
            }
        }
        return nil
    }

    /// The name that a file has now which had this one when its job was queued; nil when nobody knows.
    ///
    /// - Throws: `WatchError.store`.
    package func renamed(_ place: WatchedPath) throws(WatchError) -> WatchedFile? {
        guard let ledger, let queue else { return nil }
        var listing = JobListing()
        listing.source = SourceMatch(
            place.path, from: Folder.resolved(place.folder))
        let jobs = (try? queue.list(listing))?.records ?? []
        for job in jobs {
            if let file = try ledger.file(ofJob: job.id.rawValue, in: place.folder) { return file }
        }
        return nil
    }

    private func fingerprint(of place: WatchedPath) throws(WatchError) -> String? {
        let descriptor = AnchoredPath.open(
            place.path, below: place.folder, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try Fingerprint.ofFile(descriptor, path: place.path)
    }

    /// `a.mov` for `a-1.mov`, the name of a source whose own was taken; nil for a name without a number.
    package static func withoutNumber(_ name: String) -> String? {
        let last = Folder.lastName(of: name)
        let dot = last.lastIndex(of: ".") ?? last.endIndex
        let stem = last[..<dot]
        guard let dash = stem.lastIndex(of: "-"), dash != stem.startIndex,
            let number = Int(stem[stem.index(after: dash)...]), number > 0
        else { return nil }
        return String(name.dropLast(last.count)) + stem[..<dash] + last[dot...]
    }
}

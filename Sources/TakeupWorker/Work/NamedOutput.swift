internal import Foundation
internal import TakeupCache
internal import TakeupDigest
internal import TakeupModel
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupOutput

/// A job's output in a folder of this machine.
struct NamedOutput: JobOutput {
    let path: String
    let overwrite: ExportSettings.Overwrite
    /// Whether the path may lead over symbolic links; else a link on it ends the job.
    let followsLinks: Bool
    let usesHardLinks: Bool
    let manifest: Manifest
    /// Traits of the source that the output gets; nil if the job does not ask for them.
    let traits: FileTraits?

    func check(_ sources: OpenSources) throws(AttemptEnd) {
        // It may be a source, also where it cannot be read.
        guard let place = try present(path) else { return }
        defer { close(place) }
        var facts = stat()
        // One that is not followed leads to no source.
        if fstat(place, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK { return }
        guard let identity = FileIdentity(descriptor: place) else {
            throw Self.failed(.outputNotCreated(path, reason: "it is no regular file"))
        }
        let isSource = sources.identities.contains {
            $0.device == identity.device && $0.inode == identity.inode
        }
        if isSource, overwrite != .unique {
            throw Self.failed(.outputNotCreated(path, reason: "it is the source itself"))
        }
    }

    func isTaken() throws(AttemptEnd) -> Bool {
        guard overwrite == .fail else { return false }
        return try isTaken(path)
    }

    private func isTaken(_ path: String) throws(AttemptEnd) -> Bool {
        // A link has the name, wherever it leads.
        guard let place = try present(path, O_NOFOLLOW) else { return false }
        close(place)
        return true
    }

    /// Opens the place of what has a name; nil for nothing, or where a link may not be followed.
    private func present(_ path: String, _ flags: Int32 = 0) throws(AttemptEnd) -> Int32? {
        let place = openPresent(path, AnchoredPath.placeOnly | O_CLOEXEC | flags)
        guard place < 0 else { return place }
        switch errno {
        case ENOENT, ENOTDIR, ELOOP: return nil
        case EMFILE, ENFILE: throw .tooManyFiles
        case let reason: throw end(.creating(path, reason), needBytes: 1)
        }
    }

    private func openPresent(_ path: String, _ flags: Int32) -> Int32 {
        followsLinks ? open(path, flags) : AnchoredPath.openWithoutLinks(path, flags)
    }

    func isPresent(
        _ place: String, bytes: Int64, sha256: String, for work: JobAttempt
    ) throws(AttemptEnd) -> Bool {
        try work.cache { (_) throws(CacheError) in
            try isPresent(place, bytes: bytes, sha256: sha256) { work.hold.stop != nil }
        }
    }

    /// The same without waiting for a database that is away.
    func isPresent(
        _ path: String, bytes: Int64, sha256: String, isStopped: () -> Bool
    ) throws(CacheError) -> Bool {
        let file = openPresent(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            // What may not be read is somebody else's.
            guard Folder.isAbsence(errno) || [ELOOP, EACCES, EPERM].contains(errno) else {
                throw .file(operation: "open", path: path, errno: errno)
            }
            return false
        }
        defer { close(file) }
        guard let identity = FileIdentity(descriptor: file), identity.bytes == bytes else {
            return false
        }
        if let known = try manifest.digest(of: identity) { return known == sha256 }
        guard let found = try? SHA256Digest.ofFile(file, isStopped: isStopped) else { return false }
        try manifest.remember(found, of: identity)
        return found == sha256
    }

    func publish(
        _ result: CachedResult, _ failpoints: Failpoint.Plan?,
        confirm: (String) throws(AttemptEnd) -> Void, isStopped: () -> Bool
    ) throws(AttemptEnd) -> String {
        let place = try place(for: result)
        let partial = try filled(result, place, isStopped)
        Failpoint.afterOutputFill.pass(failpoints)
        let number = overwrite == .unique ? 0...9999 : 0...0
        for number in number {
            let name = number == 0 ? path : PartialFile.numbered(path, number)
            if overwrite == .unique, try isTaken(name) { continue }
            try confirm(name)
            do throws(FileError) {
                try give(partial, result, place, name)
                return name
            } catch {
                if case .exists = error, overwrite == .unique { continue }
                throw end(error, needBytes: result.file.bytes)
            }
        }
        throw Self.failed(.outputExists(path))
    }

    /// The output's folder, made where it is missing.
    private func place(for result: CachedResult) throws(AttemptEnd) -> Place {
        do throws(FileError) {
            return try Place(of: path, followsLinks: followsLinks)
        } catch {
            throw end(error, needBytes: result.file.bytes)
        }
    }

    /// A copy of the result that has no name yet; nil where a second name of the file does.
    private func filled(
        _ result: CachedResult, _ place: Place, _ isStopped: () -> Bool
    ) throws(AttemptEnd) -> PartialFile? {
        do throws(FileError) {
            // A second name would give them to the cache's file, too.
            guard !usesHardLinks || traits != nil else { return nil }
            return try copy(result, to: place, isStopped)
        } catch {
            throw end(error, needBytes: result.file.bytes)
        }
    }

    private func copy(
        _ result: CachedResult, to place: Place, _ isStopped: () -> Bool = { false }
    ) throws(FileError) -> PartialFile {
        let partial = try PartialFile(for: place.reach(path))
        _ = try partial.fill(from: result.file.descriptor, isStopped: isStopped)
        // Also what was stopped is incomplete; `confirm` then says why.
        guard partial.byteCount == result.file.bytes || isStopped() else {
            throw .failed(path, errno: EIO)
        }
        if let traits { partial.take(traits) }
        try partial.synchronize()
        return partial
    }

    private func give(
        _ partial: PartialFile?, _ result: CachedResult, _ place: Place, _ name: String
    ) throws(FileError) {
        let policy: PartialFile.Overwrite = overwrite == .replace ? .replace : .fail
        let path = place.reach(name)
        if let partial {
            _ = try partial.publish(policy, at: path)
        } else if try HardLink.publish(result.file.descriptor, at: path, policy) == nil {
            _ = try copy(result, to: place).publish(policy, at: path)
        }
    }

    private func end(_ error: FileError, needBytes: Int64) -> AttemptEnd {
        if case .diskFull = error {
            return .noRoom(path: Folder.containing(path), needBytes: needBytes)
        }
        guard !error.isOfPlace else {
            return .placeClosed(folder: Folder.containing(path), reason: error.reason)
        }
        return Self.failed(ExportError(followsLinks ? error : error.of(path)))
    }

    func requirePlace() throws(AttemptEnd) {
        do throws(FileError) {
            let folder = Folder.containing(path)
            if followsLinks {
                try WritableFolder.require(folder)
            } else {
                let nearest = try OpenFolder.nearest(withoutLinks: folder)
                try WritableFolder.require(nearest.anchoredPath("."))
            }
        } catch {
            // What else is wrong with the path is said once there is something to write.
            guard error.isOfPlace else { return }
            throw end(error, needBytes: 1)
        }
    }

    private static func failed(_ error: ExportError) -> AttemptEnd {
        let report = Failure(error)
        return .outcome(.failed(report, retryable: report.disposition == .retry))
    }
}

internal import Foundation
internal import TakeupCache
internal import TakeupDigest
internal import TakeupModel
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupOutput

/// A job's output besides the cache: whether it is there, and how it comes there.
struct NamedOutput {
    let path: String
    let overwrite: ExportSettings.Overwrite
    let usesHardLinks: Bool
    let manifest: Manifest
    /// Traits of the source that the output gets; nil if the job does not ask for them.
    let traits: FileTraits?

    /// Looks before any work whether the output could be placed.
    ///
    /// - Parameter sources: None of them is ever written over.
    /// - Throws: `AttemptEnd.outcome`.
    func check(_ sources: OpenSources) throws(AttemptEnd) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        guard let identity = FileIdentity(descriptor: file) else {
            throw Self.failed(.outputNotCreated(path, reason: "it is no regular file"))
        }
        let isSource = sources.identities.contains {
            $0.device == identity.device && $0.inode == identity.inode
        }
        if isSource, overwrite != .unique {
            throw Self.failed(.outputNotCreated(path, reason: "it is the source itself"))
        }
    }

    /// Whether the name is in use and may not be taken from who has it.
    var isTaken: Bool { overwrite == .fail && isTaken(path) }

    private func isTaken(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    /// Whether a file with just this content stands at a path already.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - bytes: How many there have to be.
    ///   - sha256: What they have to be.
    ///   - isStopped: Asked while the file is read.
    /// - Returns: `false` also when it was stopped.
    /// - Throws: `CacheError.store`.
    func isPresent(
        _ path: String, bytes: Int64, sha256: String, isStopped: () -> Bool
    ) throws(CacheError) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard let identity = FileIdentity(descriptor: file), identity.bytes == bytes else {
            return false
        }
        if let known = try manifest.digest(of: identity) { return known == sha256 }
        guard let found = try? SHA256Digest.ofFile(file, isStopped: isStopped) else { return false }
        try manifest.remember(found, of: identity)
        return found == sha256
    }

    /// Brings a result to its place, whole or not at all.
    ///
    /// - Parameters:
    ///   - result: Held meanwhile.
    ///   - failpoints: Where a test kills the process.
    ///   - confirm: Asked with the very name, directly before it is given; throws when it may not be.
    ///   - isStopped: Asked while bytes are copied.
    /// - Returns: Where it stands.
    /// - Throws: `AttemptEnd`.
    func publish(
        _ result: CachedResult, _ failpoints: Failpoint.Plan?,
        confirm: (String) throws(AttemptEnd) -> Void, isStopped: () -> Bool
    ) throws(AttemptEnd) -> String {
        let partial = try filled(result, isStopped)
        Failpoint.afterOutputFill.pass(failpoints)
        let number = overwrite == .unique ? 0...9999 : 0...0
        for number in number {
            let name = number == 0 ? path : PartialFile.numbered(path, number)
            if overwrite == .unique, isTaken(name) { continue }
            try confirm(name)
            do throws(FileError) {
                return try place(partial, result, name)
            } catch {
                if case .exists = error, overwrite == .unique { continue }
                throw end(error, needBytes: result.file.bytes)
            }
        }
        throw Self.failed(.outputExists(path))
    }

    /// A copy of the result that has no name yet; nil where a second name of the file does.
    private func filled(
        _ result: CachedResult, _ isStopped: () -> Bool
    ) throws(AttemptEnd) -> PartialFile? {
        do throws(FileError) {
            try makeFolder()
            // A second name would give them to the cache's file, too.
            guard !usesHardLinks || traits != nil else { return nil }
            return try copy(result, isStopped)
        } catch {
            throw end(error, needBytes: result.file.bytes)
        }
    }

    private func copy(
        _ result: CachedResult, _ isStopped: () -> Bool = { false }
    ) throws(FileError) -> PartialFile {
        let partial = try PartialFile(for: path)
        _ = try partial.fill(from: result.file.descriptor, isStopped: isStopped)
        // Also what was stopped is incomplete; `confirm` then says why.
        guard partial.byteCount == result.file.bytes || isStopped() else {
            throw .failed(path, errno: EIO)
        }
        if let traits { partial.take(traits) }
        try partial.synchronize()
        return partial
    }

    private func place(
        _ partial: PartialFile?, _ result: CachedResult, _ name: String
    ) throws(FileError) -> String {
        let policy: PartialFile.Overwrite = overwrite == .replace ? .replace : .fail
        if let partial { return try partial.publish(policy, at: name).path }
        if let linked = try HardLink.publish(result.file.descriptor, at: name, policy) {
            return linked.path
        }
        return try copy(result).publish(policy, at: name).path
    }

    private func makeFolder() throws(FileError) {
        do {
            try FileManager.default.createDirectory(
                atPath: Folder.containing(path), withIntermediateDirectories: true)
        } catch {
            let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
            let code = reason.map { Int32(($0 as NSError).code) } ?? EACCES
            // What has the folder's name already is something else.
            throw .creating(Folder.containing(path), code == EEXIST ? ENOTDIR : code)
        }
    }

    private func end(_ error: FileError, needBytes: Int64) -> AttemptEnd {
        if case .diskFull(let path, _) = error {
            return .noRoom(path: Folder.containing(path), needBytes: needBytes)
        }
        guard !error.isOfPlace else {
            return .placeClosed(folder: Folder.containing(self.path), reason: error.reason)
        }
        return Self.failed(ExportError(error))
    }

    /// Sees before any work that the output could be written.
    ///
    /// - Throws: `AttemptEnd.placeClosed`.
    func requirePlace() throws(AttemptEnd) {
        do throws(FileError) {
            try WritableFolder.require(Folder.containing(path))
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

internal import Foundation
internal import TakeupCache
internal import TakeupFiles

/// Copies of objects on this machine, up to a bound; all its processes share them.
///
/// A copy is complete and was hashed before it got its name. A shared lock on it means that it is read; who removes it
/// takes an exclusive one.
struct ReadCopies: Sendable {
    /// Copies may take up so much of the disk, in bytes; one that is larger is kept alone.
    static let mostBytes: Int64 = 10_000_000_000

    let folder: String
    let mostBytes: Int64

    /// Makes the folder where it is missing, for this user alone.
    ///
    /// - Throws: `CacheError`.
    init(folder: String, mostBytes: Int64 = Self.mostBytes) throws(CacheError) {
        (self.folder, self.mostBytes) = (folder, mostBytes)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            let isForbidden = (error as? CocoaError)?.code == .fileWriteNoPermission
            guard !isForbidden else { throw .notWritable(path: folder, errno: EACCES) }
            throw .file(operation: "make", path: folder, errno: EIO)
        }
        var facts = stat()
        guard lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR,
            facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0
        else {
            throw .unsafe(
                path: folder, reason: "it is no folder of this user that others cannot write to")
        }
    }

    func path(of object: ObjectName) -> String { "\(folder)/\(object.fileName)" }

    /// Makes an empty file that nobody sees.
    func stage() throws(CacheError) -> PartialFile {
        do throws(FileError) {
            let file = try PartialFile(for: "\(folder)/object", mode: 0o600)
            // Where it needed a name after all, this keeps it from being swept.
            try FileLock.wait(for: .shared, on: file.descriptor)
            return file
        } catch {
            throw Self.failing("stage", folder, error)
        }
    }

    /// Opens a copy and holds it.
    ///
    /// - Parameters:
    ///   - object: What it is of.
    ///   - bytes: The size that it must have; nil any.
    /// - Returns: nil if there is none of that size.
    func open(_ object: ObjectName, bytes: Int64?) -> ObjectFile? {
        let path = path(of: object)
        let descriptor = Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var (facts, named) = (stat(), stat())
        guard (try? FileLock.acquire(.shared, on: descriptor)) == true,
            fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            lstat(path, &named) == 0, named.st_ino == facts.st_ino,
            bytes == nil || Int64(facts.st_size) == bytes
        else {
            close(descriptor)
            return nil
        }
        // The oldest use goes first.
        futimens(descriptor, nil)
        return ObjectFile(
            descriptor, object: object, path: path, bytes: Int64(facts.st_size))
    }

    /// Gives a complete file its name among the copies, and holds it.
    func keep(_ staged: PartialFile, as object: ObjectName) throws(CacheError) -> ObjectFile {
        let path = path(of: object)
        let file = try hold(staged, object, path: path)
        FileLock.release(staged.descriptor)
        do throws(FileError) {
            _ = try staged.publish(.replace, at: path)
        } catch {
            throw Self.failing("keep", path, error)
        }
        return file
    }

    /// Holds a file that gets no name.
    func unnamed(_ staged: PartialFile, _ object: ObjectName) throws(CacheError) -> ObjectFile {
        try hold(staged, object, path: nil)
    }

    private func hold(
        _ staged: PartialFile, _ object: ObjectName, path: String?
    ) throws(CacheError) -> ObjectFile {
        // Copies of the first descriptor may live on in another process, with whatever lock it has.
        let descriptor = Foundation.open(
            "/proc/self/fd/\(staged.descriptor)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .file(operation: "open", path: folder, errno: errno)
        }
        let file = ObjectFile(
            descriptor, object: object, path: path ?? "/proc/self/fd/\(descriptor)",
            bytes: staged.byteCount)
        guard (try? FileLock.acquire(.shared, on: descriptor)) == true else {
            throw .locked(path: folder)
        }
        return file
    }

    /// Runs `body` while no other lane or process of this machine fills the same copy.
    func filling<Value>(
        _ object: ObjectName, _ body: () throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        let lock = "\(folder)/.fill-\(object.shard)"
        let descriptor = Foundation.open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(operation: "lock", path: lock, errno: errno) }
        defer {
            FileLock.release(descriptor)
            close(descriptor)
        }
        do throws(FileError) {
            // Whoever fills one may have a long way.
            while try !FileLock.acquire(.exclusive, on: descriptor) { usleep(20_000) }
        } catch {
            throw Self.failing("lock", lock, error)
        }
        return try body()
    }

    /// Removes a copy.
    ///
    /// - Returns: `false` if somebody reads it.
    @discardableResult
    func forget(_ object: ObjectName) -> Bool { remove(path(of: object)) }

    private func remove(_ path: String) -> Bool {
        let descriptor = Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        defer {
            FileLock.release(descriptor)
            close(descriptor)
        }
        guard (try? FileLock.acquire(.exclusive, on: descriptor)) == true else { return false }
        var (facts, named) = (stat(), stat())
        if fstat(descriptor, &facts) == 0, lstat(path, &named) == 0, named.st_ino == facts.st_ino {
            unlink(path)
        }
        return true
    }

    /// Removes copies that nobody reads, the one used longest ago first, and what killed processes left.
    ///
    /// - Parameter bytes: What all of them may take up; nil is the usual bound.
    /// - Returns: The bytes of those that stay.
    @discardableResult
    func trim(to bytes: Int64? = nil) -> Int64 {
        var (copies, total): ([(used: Double, bytes: Int64, path: String)], Int64) = ([], 0)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            var facts = stat()
            let path = "\(folder)/\(name)"
            guard lstat(path, &facts) == 0 else { continue }
            if name.hasPrefix(".takeup-") { _ = remove(path) }
            guard ObjectName(fileName: name) != nil else { continue }
            let used = Double(facts.st_mtim.tv_sec) + Double(facts.st_mtim.tv_nsec) / 1e9
            copies.append((used, Int64(facts.st_blocks) * 512, path))
            total += Int64(facts.st_blocks) * 512
        }
        for copy in copies.sorted(by: { $0.used < $1.used }) where total > bytes ?? mostBytes {
            if remove(copy.path) { total -= copy.bytes }
        }
        return total
    }

    static func failing(_ operation: String, _ path: String, _ error: FileError) -> CacheError {
        switch error {
        case .diskFull: .diskFull(path: path)
        case .notPermitted(_, let reason): .notWritable(path: path, errno: reason)
        case .exists: .file(operation: operation, path: path, errno: EEXIST)
        case .notCreated(_, let reason), .failed(_, let reason):
            .file(operation: operation, path: path, errno: reason)
        }
    }
}

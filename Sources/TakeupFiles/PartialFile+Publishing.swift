internal import Foundation

extension PartialFile {
    /// Publishes the complete file: gives it its name in one atomic step.
    ///
    /// Call `synchronize` first to sync the bytes. If the system does not confirm that the name is
    /// on disk, the file still exists. A missing confirmation is not an error.
    ///
    /// - Parameters:
    ///   - overwrite: What to do if the name is taken.
    ///   - path: The name, on the destination's file system; nil for the destination.
    /// - Returns: The published file; its path differs from the requested one only with `.unique`.
    /// - Throws: `FileError` with `.exists`, `.notPermitted`, `.notCreated`, `.failed` or
    ///   `.diskFull`; nothing has changed then.
    public func publish(
        _ overwrite: Overwrite, at path: String? = nil
    ) throws(FileError) -> PublishedFile {
        var path = path ?? destination
        switch overwrite {
        case .fail: guard try place(at: path) else { throw .exists(path) }
        case .unique: path = try placeUnique(path)
        case .replace: try replace(path)
        }
        return PublishedFile(path: path, nameLossReason: Self.nameLoss(of: path))
    }

    /// - Returns: `false` if the name is taken.
    private func place(at path: String) throws(FileError) -> Bool {
        if hiddenPath == nil {
            if let isPlaced = try linkNameless(to: path) { return isPlaced }
            hiddenPath = try copyToHiddenName(beside: path)
        }
        guard let hiddenPath else { return false }
        guard try move(hiddenPath, to: path) else { return false }
        self.hiddenPath = nil
        return true
    }

    private func placeUnique(_ wanted: String) throws(FileError) -> String {
        if try place(at: wanted) { return wanted }
        for number in 1...9999 {
            let path = Self.numbered(wanted, number)
            if try place(at: path) { return path }
        }
        throw .exists(wanted)
    }

    /// Returns the name that `.unique` would choose now; nil if all are taken.
    public static func freeName(for wanted: String) -> String? {
        (0...9999).lazy.map { $0 == 0 ? wanted : numbered(wanted, $0) }.first { path in
            var facts = stat()
            return lstat(path, &facts) != 0 && errno == ENOENT
        }
    }

    private func replace(_ path: String) throws(FileError) {
        if hiddenPath == nil {
            let name = "\(Folder.containing(path))/\(Self.hiddenName())"
            switch try linkNameless(to: name) {
            case .some(true): hiddenPath = name
            case .some(false): throw .exists(name)
            case .none: hiddenPath = try copyToHiddenName(beside: path)
            }
        }
        guard let hiddenPath, rename(hiddenPath, path) == 0 else {
            throw .creating(path, errno)
        }
        self.hiddenPath = nil
    }

    /// - Returns: Whether the name was free; nil if the file system cannot name a nameless file.
    private func linkNameless(to path: String) throws(FileError) -> Bool? {
        guard means.contains(.link) else { return nil }
        switch HardLink.link(descriptor, path) {
        case 0: return true
        case EEXIST: return false
        // The file system has no links, or /proc is missing. A missing folder causes an error in
        // the later copy.
        case EPERM, ENOENT, EOPNOTSUPP, ENOSYS, EXDEV: return nil
        case let reason: throw .creating(path, reason)
        }
    }

    /// - Returns: `false` if the name is taken.
    private func move(_ hidden: String, to path: String) throws(FileError) -> Bool {
        var reason = ENOSYS
        if means.contains(.exclusiveRename) { reason = ExclusiveRename.move(hidden, to: path) }
        if reason == ENOSYS || reason == EINVAL, means.contains(.link) {
            reason = link(hidden, path) == 0 ? 0 : errno
            if reason == 0 { unlink(hidden) }
        }
        if [ENOSYS, EINVAL, EPERM, EOPNOTSUPP, EMLINK].contains(reason) {
            reason = reserveAndRename(hidden, to: path)
        }
        if reason == 0 { return true }
        if reason == EEXIST { return false }
        throw .creating(path, reason)
    }

    /// Reserves the name with an empty file, then replaces the empty file by the complete one.
    ///
    /// Use this on file systems with neither exclusive renames nor links, for example FAT under an
    /// old kernel. For a moment, the name leads to the empty file.
    private func reserveAndRename(_ hidden: String, to path: String) -> Int32 {
        let reserved = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard reserved >= 0 else { return errno }
        close(reserved)
        guard rename(hidden, path) != 0 else { return 0 }
        let reason = errno
        unlink(path)
        return reason
    }

    private func copyToHiddenName(beside path: String) throws(FileError) -> String {
        let hidden = "\(Folder.containing(path))/\(Self.hiddenName())"
        let copy = open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard copy >= 0 else { throw .creating(path, errno) }
        defer { close(copy) }
        do throws(FileError) {
            _ = try copyAll(from: descriptor, to: copy)
            if let traits { traits.of.give(to: copy, rights: traits.rights) }
            guard fsync(copy) == 0 else { throw .writing(path, errno) }
        } catch {
            unlink(hidden)
            throw error
        }
        return hidden
    }

    /// Syncs a new name to disk.
    ///
    /// - Returns: The reason why the name may not be on disk; nil if it is.
    static func nameLoss(of path: String) -> String? {
        do throws(FileError) {
            try Folder.synchronize(Folder.containing(path))
            return nil
        } catch {
            return error.reason
        }
    }
}

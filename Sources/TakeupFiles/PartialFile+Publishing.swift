internal import Foundation

extension PartialFile {
    /// Gives the complete file its name, in one step.
    ///
    /// The bytes were brought to the disk before (`synchronize`). What is left is the name; when the system
    /// does not confirm that it is on the disk too, the file nevertheless stands, so that is no error.
    ///
    /// - Parameters:
    ///   - overwrite: What to do when the name is taken.
    ///   - path: The name, on the destination's file system; nil for the destination.
    /// - Returns: The path that it now has; another than was asked for with `.unique` only.
    /// - Throws: `FileError` with `.exists`, `.notPermitted`, `.notCreated`, `.failed` or `.diskFull`; nothing
    ///   has changed then.
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

    /// - Returns: `false` when the name is taken.
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

    /// The name that `.unique` would choose now; nil when all are taken.
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

    /// - Returns: Whether the name was free; nil where files without a name cannot be given one.
    private func linkNameless(to path: String) throws(FileError) -> Bool? {
        guard means.contains(.link) else { return nil }
        switch HardLink.link(descriptor, path) {
        case 0: return true
        case EEXIST: return false
        // No links on this file system, or no /proc any more; a missing folder shows when copying.
        case EPERM, ENOENT, EOPNOTSUPP, ENOSYS, EXDEV: return nil
        case let reason: throw .creating(path, reason)
        }
    }

    /// - Returns: `false` when the name is taken.
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

    /// Takes the name with an empty file, which the complete one then replaces.
    ///
    /// For file systems that know neither exclusive renames nor links, such as FAT under an old kernel: for
    /// a moment the name leads to the empty file.
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

    /// Brings a new name to the disk.
    ///
    /// - Returns: Why it may not be there; nil when it is.
    static func nameLoss(of path: String) -> String? {
        do throws(FileError) {
            try Folder.synchronize(Folder.containing(path))
            return nil
        } catch {
            return error.reason
        }
    }
}

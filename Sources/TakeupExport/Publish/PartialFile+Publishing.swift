internal import Foundation
internal import TakeupFFmpeg

extension PartialFile {
    /// Copied at once where a file without a name cannot be given one.
    private static let copyBytes = 1024 * 1024

    /// Gives the complete file its name, in one step.
    ///
    /// The bytes were brought to the disk before (`synchronize`). What is left is the name; when the system
    /// does not confirm that it is on the disk too, the file nevertheless stands, so that is a warning.
    ///
    /// - Returns: The path that it now has; another than `destination` with `.unique` only.
    /// - Throws: `ExportError` with `.outputExists`, `.outputNotPermitted` or `.outputFailed`; nothing has
    ///   changed then.
    func publish(_ overwrite: ExportSettings.Overwrite) throws(ExportError) -> PublishedFile {
        var path = destination
        switch overwrite {
        case .fail:
            guard try place(at: destination) else { throw .outputExists(destination) }
        case .unique: path = try placeUnique()
        case .replace: try replace()
        }
        return PublishedFile(path: path, warning: Self.synchronizeFolder(of: path))
    }

    /// - Returns: `false` when the name is taken.
    private func place(at path: String) throws(ExportError) -> Bool {
        if hiddenPath == nil {
            if let isPlaced = try linkNameless(to: path) { return isPlaced }
            hiddenPath = try copyToHiddenName()
        }
        guard let hiddenPath else { return false }
        guard try move(hiddenPath, to: path) else { return false }
        self.hiddenPath = nil
        return true
    }

    private func placeUnique() throws(ExportError) -> String {
        if try place(at: destination) { return destination }
        for number in 1...9999 {
            let path = Self.numbered(destination, number)
            if try place(at: path) { return path }
        }
        throw .outputExists(destination)
    }

    private func replace() throws(ExportError) {
        if hiddenPath == nil {
            let name = "\(Self.folder(of: destination))/\(Self.hiddenName())"
            switch try linkNameless(to: name) {
            case .some(true): hiddenPath = name
            case .some(false): throw .outputExists(name)
            case .none: hiddenPath = try copyToHiddenName()
            }
        }
        guard let hiddenPath, rename(hiddenPath, destination) == 0 else {
            throw Self.error(creating: destination, errno)
        }
        self.hiddenPath = nil
    }

    /// - Returns: Whether the name was free; nil where files without a name cannot be given one.
    private func linkNameless(to path: String) throws(ExportError) -> Bool? {
        guard means.contains(.link) else { return nil }
        let source = "/proc/self/fd/\(descriptor)"
        if linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return true }
        switch errno {
        case EEXIST: return false
        // No links on this file system, or no /proc any more; a missing folder shows when copying.
        case EPERM, ENOENT, EOPNOTSUPP, ENOSYS, EXDEV: return nil
        default: throw Self.error(creating: path, errno)
        }
    }

    /// - Returns: `false` when the name is taken.
    private func move(_ hidden: String, to path: String) throws(ExportError) -> Bool {
        var reason = ENOSYS
        if means.contains(.exclusiveRename) { reason = ExclusiveRename.move(hidden, to: path) }
        if reason == ENOSYS || reason == EINVAL, means.contains(.link) {
            reason = link(hidden, path) == 0 ? 0 : errno
            if reason == 0 { unlink(hidden) }
        }
        if [ENOSYS, EINVAL, EPERM, EOPNOTSUPP, EMLINK].contains(reason) {
            reason = Self.reserveAndRename(hidden, to: path)
        }
        if reason == 0 { return true }
        if reason == EEXIST { return false }
        throw Self.error(creating: path, reason)
    }

    /// Takes the name with an empty file, which the complete one then replaces.
    ///
    /// For file systems that know neither exclusive renames nor links, such as FAT under an old kernel: for
    /// a moment the name leads to the empty file.
    private static func reserveAndRename(_ hidden: String, to path: String) -> Int32 {
        let reserved = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard reserved >= 0 else { return errno }
        close(reserved)
        guard rename(hidden, path) != 0 else { return 0 }
        let reason = errno
        unlink(path)
        return reason
    }

    private func copyToHiddenName() throws(ExportError) -> String {
        let path = "\(Self.folder(of: destination))/\(Self.hiddenName())"
        let copy = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard copy >= 0 else { throw Self.error(creating: destination, errno) }
        defer { close(copy) }
        let reason = copyAll(to: copy)
        guard reason == 0 else {
            unlink(path)
            throw Self.error(writing: destination, reason)
        }
        return path
    }

    /// - Returns: 0, or the errno of what failed.
    private func copyAll(to copy: Int32) -> Int32 {
        var bytes = [UInt8](repeating: 0, count: Self.copyBytes)
        var offset: off_t = 0
        while true {
            let count = pread(descriptor, &bytes, bytes.count, offset)
            if count == 0 { return fsync(copy) == 0 ? 0 : errno }
            if count > 0 {
                let written = pwrite(copy, bytes, count, offset)
                // What a short write leaves over is read again.
                if written >= 0 { offset += off_t(written) }
                if written >= 0 || errno == EINTR { continue }
            } else if errno == EINTR {
                continue
            }
            return errno
        }
    }

    /// Brings a new name to the disk.
    ///
    /// - Returns: Why it may not be there; nil when it is, or when the file system has no such thing.
    static func synchronizeFolder(of path: String) -> ExportWarning? {
        let folder = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        var reason = folder < 0 ? errno : 0
        if folder >= 0 {
            reason = fsync(folder) == 0 ? 0 : errno
            close(folder)
        }
        guard reason != 0, reason != EINVAL, reason != ENOTSUP else { return nil }
        return ExportWarning(
            code: "nameNotSynchronized",
            message: "\(path) is complete, but its name may be lost if the machine fails now: "
                + String(cString: strerror(reason)))
    }
}

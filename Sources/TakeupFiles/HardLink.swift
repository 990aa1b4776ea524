internal import Foundation

/// An additional name for a complete file.
public enum HardLink {
    /// Gives an open file an additional name in one atomic step; both names lead to the same bytes.
    ///
    /// - Parameters:
    ///   - descriptor: The open file, which has a name already.
    ///   - path: The additional name, on the same file system.
    ///   - overwrite: What to do if the name is taken.
    /// - Returns: The published file; nil if the system or file system cannot link it.
    /// - Throws: `FileError` with `.exists`, `.notPermitted`, `.notCreated` or `.diskFull`.
    public static func publish(
        _ descriptor: Int32, at path: String, _ overwrite: PartialFile.Overwrite
    ) throws(FileError) -> PublishedFile? {
        switch overwrite {
        case .fail:
            guard let isPlaced = try place(descriptor, path) else { return nil }
            guard isPlaced else { throw .exists(path) }
            return named(path)
        case .unique:
            for number in 0...9999 {
                let next = number == 0 ? path : PartialFile.numbered(path, number)
                guard let isPlaced = try place(descriptor, next) else { return nil }
                if isPlaced { return named(next) }
            }
            throw .exists(path)
        case .replace:
            let hidden = "\(Folder.containing(path))/\(PartialFile.hiddenName())"
            guard let isPlaced = try place(descriptor, hidden) else { return nil }
            guard isPlaced else { throw .exists(hidden) }
            let reason = rename(hidden, path) == 0 ? 0 : errno
            // A rename onto another name of the same file does nothing and leaves both names.
            unlink(hidden)
            guard reason == 0 else { throw .creating(path, reason) }
            return named(path)
        }
    }

    private static func named(_ path: String) -> PublishedFile {
        PublishedFile(path: path, nameLossReason: PartialFile.nameLoss(of: path))
    }

    /// - Returns: Whether the name was free; nil if the file cannot be linked.
    private static func place(_ descriptor: Int32, _ path: String) throws(FileError) -> Bool? {
        switch link(descriptor, path) {
        case 0: true
        case EEXIST: false
        case EXDEV, EPERM, EOPNOTSUPP, ENOSYS, EMLINK: nil
        case let reason: throw .creating(path, reason)
        }
    }

    /// - Returns: 0, or an errno.
    static func link(_ descriptor: Int32, _ path: String) -> Int32 {
        let source = "/proc/self/fd/\(descriptor)"
        return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
    }
}

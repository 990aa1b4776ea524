import Foundation

/// A list on disk, read without waiting on pipes or devices.
enum ListFile {
    /// The type bits of what there is.
    static func type(_ path: String) throws(BatchListError) -> mode_t {
        guard ListPath.fault(path) == nil else {
            throw .unreadable(path, reason: "it is no path")
        }
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw error(path) }
        return facts.st_mode & S_IFMT
    }

    static func bytes(_ path: String) throws(BatchListError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw error(path) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw error(path) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path, reason: FolderWalk.notRegular)
        }
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            return [UInt8](try handle.read(upToCount: BatchList.largestFile + 1) ?? Data())
        } catch {
            throw .unreadable(path, reason: "reading it failed: \(error)")
        }
    }

    /// What `errno` says about a path.
    static func error(_ path: String) -> BatchListError {
        let code = errno
        switch code {
        case ENOENT, ENOTDIR: return .missing(path)
        case EACCES, EPERM: return .notPermitted(path)
        default: return .unreadable(path, reason: String(cString: strerror(code)))
        }
    }
}

internal import Foundation
internal import TakeupFiles
package import TakeupWatch

/// Small files that others may write, read whole and never followed elsewhere.
package enum BoundedFile {
    /// - Parameters:
    ///   - name: From the folder on; no symbolic link is followed.
    ///   - root: A trusted folder.
    ///   - most: Bytes.
    /// - Returns: nil when there is none.
    /// - Throws: `WatchError.unreadable`.
    package static func bytes(
        at name: String, below root: String, most: Int
    ) throws(WatchError) -> [UInt8]? {
        let path = "\(root)/\(name)"
        let file = AnchoredPath.open(name, below: root, O_RDONLY | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw fault(path, errno)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: most + 1)
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            let read = bytes.withUnsafeMutableBytes { buffer in
                Foundation.read(file, buffer.baseAddress?.advanced(by: count), room)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw fault(path, errno) }
            if read == 0 { break }
            count += read
        }
        guard count <= most else { throw fault(path, EFBIG) }
        return Array(bytes.prefix(count))
    }

    /// What is wrong with the file says nothing about the folder that it is in.
    private static func fault(_ path: String, _ code: Int32) -> WatchError {
        .unreadable(setting: path, reason: String(cString: strerror(code)))
    }
}

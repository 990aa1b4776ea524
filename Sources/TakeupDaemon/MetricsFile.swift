internal import Foundation
internal import TakeupFiles

/// A file that holds the latest metrics, whole at any moment.
///
/// It need not outlive a power cut, so that it is never synced.
struct MetricsFile: Sendable {
    let path: String

    /// Beside the file and hidden, always the same, so that a kill leaves one at most; its end is none of metrics.
    private var hiddenPath: String {
        let name = Folder.names(of: path).last ?? "metrics"
        return "\(Folder.containing(path))/.\(name).takeup"
    }

    /// Puts a text in the place of the one before; everybody may read it.
    ///
    /// - Throws: `FileError`.
    func write(_ text: String) throws(FileError) {
        let hidden = hiddenPath
        unlink(hidden)
        let file = open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw .failed(hidden, errno: errno) }
        let code = Self.fill(file, Array(text.utf8))
        close(file)
        guard code == 0, rename(hidden, path) == 0 else {
            let reason = code == 0 ? errno : code
            unlink(hidden)
            throw .failed(path, errno: reason)
        }
    }

    /// - Returns: An `errno`; 0 when all was written.
    private static func fill(_ file: Int32, _ bytes: [UInt8]) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}

internal import Foundation

/// A private folder for the files of two-pass encoders; deallocating the object removes the folder.
final class StatisticsFolder {
    private let path: String

    /// - Returns: nil if no file can be created in the folder.
    init?() {
        let base = NSTemporaryDirectory()
        let template = base + (base.hasSuffix("/") ? "" : "/") + "takeup-XXXXXX"
        var characters = Array(template.utf8CString)
        guard let made = mkdtemp(&characters) else { return nil }
        path = String(cString: made)
        let trial = open("\(path)/trial", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard trial >= 0 else {
            rmdir(path)
            return nil
        }
        close(trial)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The file name for the encoder, which may add suffixes.
    var file: String { "\(path)/statistics" }
}

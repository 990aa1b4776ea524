internal import Foundation

/// A private folder for the files that two-pass encoders write, removed with the value.
final class StatisticsFolder {
    private let path: String

    init() throws(ExportError) {
        let base = NSTemporaryDirectory()
        let template = base + (base.hasSuffix("/") ? "" : "/") + "takeup-XXXXXX"
        var characters = Array(template.utf8CString)
        guard let made = mkdtemp(&characters) else {
            throw .outputNotCreated(template, reason: String(cString: strerror(errno)))
        }
        path = String(cString: made)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The name that the encoder gets; it may add endings.
    var file: String { "\(path)/statistics" }
}

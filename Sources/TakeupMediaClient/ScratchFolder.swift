internal import Foundation
internal import TakeupProcess

/// A private folder that is removed with its object, whatever is in it.
final class ScratchFolder: Sendable {
    let path: String

    init(in parent: String?) throws(ProcessError) {
        let parent = parent ?? FileManager.default.temporaryDirectory.path
        var characters = Array("\(parent)/.takeup-helper-XXXXXX".utf8CString)
        guard let made = mkdtemp(&characters) else {
            throw ProcessError(.spawn, errno: errno, subject: "a folder in \(parent)")
        }
        path = String(cString: made)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

internal import Foundation
internal import TakeupProcess

/// A private folder that is removed with its object, whatever is in it.
///
/// A process that was killed leaves its folder; the next one removes it: as long as the object lives, it holds a lock on
/// the folder.
final class ScratchFolder: Sendable {
    private static let prefix = ".takeup-helper-"
    /// A folder that is younger may not be locked yet, in seconds.
    private static let leastAge: time_t = 60

    let path: String
    private let lock: Int32

    init(in parent: String?) throws(ProcessError) {
        let parent = parent ?? FileManager.default.temporaryDirectory.path
        Self.sweep(parent)
        var characters = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard let made = mkdtemp(&characters) else {
            throw ProcessError(.spawn, errno: errno, subject: "a folder in \(parent)")
        }
        path = String(cString: made)
        lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        _ = flock(lock, LOCK_EX | LOCK_NB)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
    }

    /// Removes this user's folders that nobody holds any more.
    private static func sweep(_ parent: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: parent) else {
            return
        }
        for name in names where name.hasPrefix(prefix) {
            let folder = open(
                "\(parent)/\(name)", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            var facts = stat()
            guard fstat(folder, &facts) == 0, facts.st_uid == geteuid(),
                time(nil) - facts.st_mtim.tv_sec > leastAge,
                flock(folder, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
        }
    }
}

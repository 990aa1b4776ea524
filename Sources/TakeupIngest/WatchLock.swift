internal import Foundation
internal import TakeupDigest
internal import TakeupFiles
package import TakeupModel
internal import TakeupWatch

/// Lets one daemon alone watch a folder with a database; ends with its process, whatever ends that.
package final class WatchLock: Sendable {
    private let descriptor: Int32

    /// - Throws: With 75 when another daemon watches the folder.
    package init(_ folder: String, home: String) throws(Failure) {
        let path = "\(home)/watch-\(SHA256Digest.of(folder).prefix(16)).lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .watch(
                .notPermitted, "cannot make \(path): \(String(cString: strerror(errno)))",
                hint: "check the home folder")
        }
        let isTaken: Bool
        do {
            isTaken = try !FileLock.acquire(.exclusive, on: descriptor)
        } catch {
            throw .unexpected(error)
        }
        guard !isTaken else {
            throw .watch(
                .temporary, "another daemon watches \(folder) with this database",
                hint: "end that one first, or watch another folder")
        }
    }

    deinit {
        FileLock.release(descriptor)
        close(descriptor)
    }
}

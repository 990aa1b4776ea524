internal import Foundation
internal import TakeupDigest
internal import TakeupFiles
package import TakeupModel
internal import TakeupWatch

/// Lets one daemon alone watch a folder with a database, and one alone on the machine act on the folder's files; ends with its
/// process, whatever ends that.
package final class WatchLock: Sendable {
    private let descriptor: Int32
    private let claim: MachineClaim?

    /// - Parameters:
    ///   - folder: Absolute.
    ///   - home: Holds the lock file.
    ///   - acts: Whether the daemon moves, removes or replaces the folder's files. Two that do would take each other's
    ///     outputs for sources, whatever database each has.
    /// - Throws: With 75 when another daemon watches the folder.
    package init(_ folder: String, home: String, acts: Bool) throws(Failure) {
        claim = acts ? try MachineClaim(folder) : nil
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

/// A name among the abstract sockets of this machine: held by one process, and gone with it, without a file.
private final class MachineClaim: Sendable {
    private let descriptor: Int32

    /// - Throws: With 75 when another process of this user has the folder's name.
    init(_ folder: String) throws(Failure) {
        var facts = stat()
        // One folder, by whatever path it is reached; one that is not there yet has its path alone.
        let place = stat(folder, &facts) == 0 ? "\(facts.st_dev):\(facts.st_ino)" : folder
        let name = "takeup-watch-\(geteuid())-\(SHA256Digest.of(place).prefix(32))"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // Without sockets it is as before there was this claim.
        guard descriptor >= 0 else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.dropFirst().copyBytes(from: name.utf8) }
        let length = MemoryLayout<sa_family_t>.size + 1 + name.utf8.count
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(length))
            }
        }
        guard code != 0, errno == EADDRINUSE else { return }
        throw .watch(
            .temporary, "another daemon on this machine acts on the files of \(folder)",
            hint: "end that one first, or keep the sources where they are")
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}

internal import Foundation
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupModel

/// A folder of the home folder, made once, when the server starts, and held open: where another folder or none is at its
/// place, as after its disk was taken away, nothing is told as missing, and nothing is made in its place.
final class KeptFolder: Sendable {
    let path: String
    /// nil while it could never be made.
    private let opened: Locked<OpenFolder?>

    /// - Parameter path: Absolute; the folder above it is made, too.
    init(_ path: String) {
        self.path = path
        opened = Locked(try? Self.make(path))
    }

    private static func make(_ path: String) throws(FileError) -> OpenFolder {
        let home = Folder.containing(path)
        if Folder.isAbsent(home) { _ = try OpenFolder(makingAll: home) }
        try PrivateFolder.make(path)
        return try OpenFolder(path)
    }

    /// - Throws: With 503 where the folder is not at its place.
    func requirePlace() throws(Refusal) {
        do throws(FileError) {
            let folder = try opened.withLock { (opened) throws(FileError) in
                if let folder = opened { return folder }
                let folder = try Self.make(path)
                opened = folder
                return folder
            }
            var (held, here) = (stat(), stat())
            guard fstat(folder.descriptor, &held) == 0 else { throw .failed(path, errno: errno) }
            if stat(path, &here) == 0 {
                if (held.st_dev, held.st_ino) == (here.st_dev, here.st_ino) { return }
            } else if !Folder.isAbsence(errno) {
                throw .failed(path, errno: errno)
            }
        } catch {
            throw Refusal(reading: error)
        }
        throw Refusal(
            503,
            Failure(
                exitCode: .unavailable, code: "homeGone", stage: "request",
                message: "the folder \(path), which the server has open, is not at its place",
                hint: "bring its disk back; where it was removed, start the server again"),
            [("Retry-After", "5")])
    }
}

internal import Foundation
internal import TakeupFiles

/// The desktop's trash: a file goes there with a note of where it came from, so that it can be put back.
///
/// - Note: Source: freedesktop.org, Trash specification 1.0.
public struct Trash: Sendable {
    /// Mode of the trash folders: other users cannot read them.
    private static let mode: UInt32 = 0o700

    /// Holds `files` and `info`; for what lies on its file system.
    private let home: String?
    private let user: UInt32
    private let now: @Sendable () -> Double

    /// - Parameters:
    ///   - home: The user's own, such as `~/.local/share/Trash`; nil where everything goes to the trash of its own disk.
    ///   - user: The number of whose files go to other disks' trash.
    ///   - now: Seconds since 1970.
    public init(home: String?, user: UInt32, now: @escaping @Sendable () -> Double) {
        (self.home, self.user, self.now) = (home, user, now)
    }

    /// Where one file goes.
    struct Place {
        /// Its wanted place there.
        let file: SourcePlace
        fileprivate let notes: OpenFolder
        /// The top folder of the file system, where the note's path starts; nil for an absolute path.
        fileprivate let top: String?
        /// When, in seconds since 1970.
        fileprivate let seconds: Double

        /// Notes where a file came from.
        ///
        /// - Parameters:
        ///   - target: Where it lies now.
        ///   - path: Where it lay; absolute.
        /// - Throws: `WatchError.failed`.
        func note(_ target: String, of path: String) throws(WatchError) {
            let name = "\(Folder.lastName(of: target)).trashinfo"
            let origin = top.flatMap { Folder.path(from: $0, to: path) } ?? path
            let shown = Trash.encoded(origin)
            let text = "[Trash Info]\nPath=\(shown)\nDeletionDate=\(Trash.text(seconds))\n"
            do throws(FileError) {
                let file = try PartialFile(for: notes.anchoredPath(name))
                try file.write(Array(text.utf8))
                _ = try file.publish(.replace)
            } catch {
                throw WatchError(error)
            }
        }
    }

    /// The trash on the file system of a file, made where there is none.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - root: The watched folder, below which no link is followed.
    /// - Returns: The file's place in it.
    /// - Throws: `WatchError.failed`.
    func place(for source: SourceFile, in root: String) throws(WatchError) -> Place {
        do throws(FileError) {
            let (folder, top) = try self.folder(for: source, in: root)
            return Place(
                file: SourcePlace(
                    folder: try folder.makeFolder("files", mode: Self.mode), name: source.name),
                notes: try folder.makeFolder("info", mode: Self.mode), top: top, seconds: now())
        } catch {
            throw WatchError(error)
        }
    }

    private func folder(
        for source: SourceFile, in root: String
    ) throws(FileError) -> (folder: OpenFolder, top: String?) {
        if let home, Self.device(existing: home) == source.device {
            return (try OpenFolder(makingAll: home), nil)
        }
        var top = Folder.containing(source.path)
        while top != "/", Self.device(Folder.containing(top)) == source.device {
            top = Folder.containing(top)
        }
        // The top of a disk that is mounted in the watched folder, or the watched folder itself.
        let below = Folder.path(from: root, to: top)
        let folder = try OpenFolder(below == nil ? top : root).folder(below ?? "")
        return (try folder.makeFolder(".Trash-\(user)", mode: Self.mode), top)
    }

    private static func device(_ path: String) -> UInt64? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? UInt64(facts.st_dev) : nil
    }

    /// Returns the device of the nearest existing parent folder.
    private static func device(existing path: String) -> UInt64? {
        var path = path
        while path != "/", path != ".", device(path) == nil { path = Folder.containing(path) }
        return device(path)
    }

    private static func encoded(_ path: String) -> String {
        var allowed = CharacterSet(charactersIn: "/-._~")
        allowed.formUnion(CharacterSet(charactersIn: "a"..."z"))
        allowed.formUnion(CharacterSet(charactersIn: "A"..."Z"))
        allowed.formUnion(CharacterSet(charactersIn: "0"..."9"))
        return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    }

    private static func text(_ date: Double) -> String {
        var (seconds, parts) = (time_t(date), tm())
        localtime_r(&seconds, &parts)
        let numbers = [
            parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
            parts.tm_sec,
        ].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(numbers[0])-\(numbers[1])-\(numbers[2])T\(numbers[3]):\(numbers[4]):\(numbers[5])"
    }
}

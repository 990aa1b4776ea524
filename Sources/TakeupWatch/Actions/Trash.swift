internal import Foundation
internal import TakeupFiles

/// The desktop's trash: a file goes there with a note of where it came from, so that it can be put back.
///
/// - Note: Source: freedesktop.org, Trash specification 1.0.
public struct Trash: Sendable {
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
        /// Its wanted path there.
        let file: String
        fileprivate let folder: String
        /// Of the file system, where the note's path starts; nil for an absolute one.
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
            let name = target.split(separator: "/").last.map(String.init) ?? ""
            let origin = top.map { String(path.dropFirst($0 == "/" ? 1 : $0.count + 1)) } ?? path
            let shown = Trash.encoded(origin)
            let text = "[Trash Info]\nPath=\(shown)\nDeletionDate=\(Trash.text(seconds))\n"
            let file = "\(folder)/info/\(name).trashinfo"
            guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) else {
                throw .failed(path: file, errno: errno == 0 ? EIO : errno)
            }
        }
    }

    /// The trash on the file system of a file, made where there is none.
    func place(for path: String) throws(WatchError) -> Place {
        let (folder, top) = try self.folder(for: path)
        for name in ["files", "info"] {
            do {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch {
                throw .failed(path: "\(folder)/\(name)", errno: errno == 0 ? EIO : errno)
            }
        }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return Place(file: "\(folder)/files/\(name)", folder: folder, top: top, seconds: now())
    }

    func folder(for path: String) throws(WatchError) -> (folder: String, top: String?) {
        guard let device = Self.device(path) else { throw .failed(path: path, errno: ENOENT) }
        if let home, Self.device(existing: home) == device { return (home, nil) }
        var top = Folder.containing(path)
        while top != "/", Self.device(Folder.containing(top)) == device {
            top = Folder.containing(top)
        }
        return ("\(top == "/" ? "" : top)/.Trash-\(user)", top)
    }

    private static func device(_ path: String) -> UInt64? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? UInt64(facts.st_dev) : nil
    }

    /// Of the nearest folder above that is there.
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

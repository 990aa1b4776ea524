internal import Foundation

/// A folder's place inside its file system: the same for every path that leads there, as through bind mounts.
public struct DiskPlace: Hashable, Sendable {
    /// The file system's number, as the kernel writes it.
    public let device: String
    /// From the file system's topmost folder on.
    public let path: String

    public init(device: String, path: String) {
        (self.device, self.path) = (device, path)
    }

    /// Whether this lies in another folder, or is that folder.
    public func lies(in other: DiskPlace) -> Bool {
        device == other.device && Folder.path(from: other.path, to: path) != nil
    }
}

/// What is mounted where, as this process sees it.
public struct MountTable: Sendable {
    private struct Mount: Sendable {
        let id: Int
        let device: String
        /// The folder of the file system that is shown.
        let root: String
        /// Where it is shown.
        let point: String
    }

    private let mounts: [Mount]

    /// - Parameter text: Of `/proc/self/mountinfo`; lines that say something else are left out.
    /// - Note: Source: `proc(5)`, mountinfo.
    public init(_ text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4, let id = Int(fields[0]) else { return nil }
            return Mount(
                id: id, device: String(fields[2]), root: Self.plain(fields[3]),
                point: Self.plain(fields[4]))
        }
    }

    /// As it is now; empty where the system does not tell.
    public static func current() -> MountTable {
        let bytes = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
        return MountTable(String(decoding: bytes, as: UTF8.self))
    }

    /// Where a folder lies.
    ///
    /// - Parameter path: Absolute, links resolved; what is not there lies in the nearest folder that is.
    /// - Returns: nil when it cannot be told.
    public func place(of path: String) -> DiskPlace? {
        var (outer, missing) = (path, [String]())
        while true {
            let folder = open(outer, AnchoredPath.placeOnly | O_CLOEXEC)
            if folder >= 0 {
                defer { close(folder) }
                return place(of: outer, mount: Self.mount(of: folder), adding: missing)
            }
            guard outer != "/", errno == ENOENT || errno == ENOTDIR else { return nil }
            missing.insert(Folder.lastName(of: outer), at: 0)
            outer = Folder.containing(outer)
        }
    }

    /// Everything that a folder shows: its own place, and those of the disks that are mounted below it.
    ///
    /// - Parameter path: Absolute, links resolved.
    /// - Returns: Empty when nothing can be told.
    public func places(in path: String) -> [DiskPlace] {
        let below = mounts.filter { mount in
            Folder.path(from: path, to: mount.point).map { !$0.isEmpty } ?? false
        }
        return [place(of: path)].compactMap(\.self)
            + below.map { DiskPlace(device: $0.device, path: $0.root) }
    }

    func place(of path: String, mount id: Int?, adding missing: [String] = []) -> DiskPlace? {
        guard let mount = mounts.last(where: { $0.id == id }),
            let inner = Folder.path(from: mount.point, to: path)
        else { return nil }
        let names = Folder.names(of: mount.root) + Folder.names(of: inner) + missing
        return DiskPlace(device: mount.device, path: "/" + names.joined(separator: "/"))
    }

    /// The mount that an open file was reached through.
    private static func mount(of descriptor: Int32) -> Int? {
        let text = FileManager.default.contents(atPath: "/proc/self/fdinfo/\(descriptor)")
        let lines = String(decoding: text ?? Data(), as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("mnt_id:") }
        return line.flatMap { Int($0.dropFirst(7).trimmingCharacters(in: .whitespaces)) }
    }

    /// A name as it is, with `\040` for a space and the like taken back.
    private static func plain(_ field: Substring) -> String {
        var (bytes, rest) = ([UInt8](), Substring(field).utf8)
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

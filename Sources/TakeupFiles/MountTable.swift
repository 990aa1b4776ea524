internal import Foundation

/// A folder's location inside its file system: equal for all paths to it, even through bind mounts.
public struct DiskPlace: Hashable, Sendable {
    /// The file system's device number, as the kernel writes it.
    public let device: String
    /// Path from the top folder of the file system.
    public let path: String

    public init(device: String, path: String) {
        (self.device, self.path) = (device, path)
    }

    /// Returns whether this place lies in another folder or equals it.
    public func lies(in other: DiskPlace) -> Bool {
        device == other.device && Folder.path(from: other.path, to: path) != nil
    }
}

/// The mounts that this process sees.
public struct MountTable: Sendable {
    private struct Mount: Sendable {
        let id: Int
        let device: String
        /// The folder inside the file system that the kernel shows at `point`.
        let root: String
        /// The mount point.
        let point: String
    }

    private let mounts: [Mount]

    /// - Parameter text: Content of `/proc/self/mountinfo`; lines in another form are ignored.
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

    /// Reads the current mounts; empty if the system does not tell.
    public static func current() -> MountTable {
        let bytes = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
        return MountTable(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the place of a folder.
    ///
    /// - Parameter path: An absolute path with resolved links; a missing folder counts as part of
    ///   its nearest existing parent.
    /// - Returns: nil if the place cannot be determined.
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

    /// Returns the place of a folder and of every mount below it.
    ///
    /// - Parameter path: An absolute path with resolved links.
    /// - Returns: The places; empty if nothing can be determined.
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

    /// Returns the ID of the mount through which an open file was reached.
    private static func mount(of descriptor: Int32) -> Int? {
        let text = FileManager.default.contents(atPath: "/proc/self/fdinfo/\(descriptor)")
        let lines = String(decoding: text ?? Data(), as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("mnt_id:") }
        return line.flatMap { Int($0.dropFirst(7).trimmingCharacters(in: .whitespaces)) }
    }

    /// Decodes a name with escapes, for example `\040` for a space.
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

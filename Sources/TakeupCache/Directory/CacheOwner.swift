internal import Foundation

/// The file that says which database a cache belongs to.
enum CacheOwner {
    private static let name = "owner"
    /// What a folder may hold that is to become a cache.
    private static let expected: Set<String> = [
        "objects", "staging", "quarantine", "sources", "lost+found",
    ]

    /// Makes the cache the database's own, or sees that it is already.
    static func claim(_ root: FolderHandle, for databaseID: String) throws(CacheError) {
        if try root.facts(name) == nil {
            let strangers = try root.names().filter {
                !expected.contains($0) && $0 != name && !$0.hasPrefix(".owner-")
            }
            guard strangers.isEmpty else {
                throw .unsafe(path: root.path, reason: "it holds other things and is no cache")
            }
            try write(databaseID, in: root)
        }
        let owner = try read(root)
        guard owner == databaseID else { throw .foreign(path: root.path, owner: owner) }
    }

    private static func read(_ root: FolderHandle) throws(CacheError) -> String {
        guard let file = try root.openFile(name) else {
            throw .unsafe(path: "\(root.path)/\(name)", reason: "it is no file")
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw .failing("read", "\(root.path)/\(name)", errno) }
        // Only what a database's name is made of: the rest could be anything.
        return String(decoding: bytes[..<count].prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
    }

    private static func write(_ databaseID: String, in root: FolderHandle) throws(CacheError) {
        let hidden = ".owner-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(root.descriptor, hidden, flags, 0o600)
        guard file >= 0 else { throw .failing("make", "\(root.path)/\(name)", errno) }
        defer {
            close(file)
            unlinkat(root.descriptor, hidden, 0)
        }
        let bytes = Array("\(databaseID)\n".utf8)
        guard Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw .failing("write", "\(root.path)/\(name)", errno)
        }
        // Whoever was first has it.
        guard
            linkat(root.descriptor, hidden, root.descriptor, name, 0) == 0 || errno == EEXIST
        else { throw .failing("make", "\(root.path)/\(name)", errno) }
        try root.synchronize()
    }
}

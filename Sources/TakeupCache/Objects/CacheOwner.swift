internal import Foundation
internal import TakeupFiles

/// The file that says which database a cache belongs to, and which of its folders this is.
enum CacheOwner {
    private static let name = "owner"
    private static let mostBytes = 256
    /// What a folder may hold that is to become a cache.
    private static let expected: Set<String> = [
        "objects", "staging", "quarantine", "orphans", "sources", "copies", "lost+found",
    ]

    /// Sees that a folder is the one that the database's results are in, and makes the first one that.
    ///
    /// The folder is written before the database: a kill in between leaves a folder that names a database which knows
    /// none, and whoever comes next notes it.
    ///
    /// - Throws: `CacheError` with `.foreign`, `.notKnown` or `.unsafe`, besides others.
    static func claim(
        _ root: FolderHandle, for manifest: Manifest, isAdopting: Bool
    ) throws(CacheError) {
        let known = try manifest.knownFolder()
        let verdict = try verdict(root, manifest, known, isAdopting)
        if verdict == .open, known.path == root.path { return manifest.claimed(known) }
        try refuse(verdict, root.path, known)
        // From here on something is written: one after the other.
        try lock(root)
        defer { FileLock.release(root.descriptor) }
        try settle(root, manifest, isAdopting)
    }

    /// Sees that a folder may hold a copy of the database's results, and marks one that is unused.
    ///
    /// The database does not know it: it has to adopt it first, and then knows the other one no more.
    ///
    /// - Throws: `CacheError` with `.foreign`, `.notKnown` or `.unsafe`, besides others.
    static func claimCopy(_ root: FolderHandle, for manifest: Manifest) throws(CacheError) {
        try lock(root)
        defer { FileLock.release(root.descriptor) }
        let verdict = try FolderClaim.ofCopy(of: manifest).verdict(on: try found(in: root)) { true }
        try refuse(verdict, root.path, try manifest.knownFolder())
        guard verdict == .mark else { return }
        try write(manifest.databaseID, UUID().uuidString.lowercased(), in: root)
    }

    private static func lock(_ root: FolderHandle) throws(CacheError) {
        do throws(FileError) {
            try FileLock.wait(for: .exclusive, on: root.descriptor)
        } catch {
            throw .failing("lock", root.path, error)
        }
    }

    /// The same without writing anything.
    static func check(_ root: FolderHandle, for manifest: Manifest) throws(CacheError) {
        let known = try manifest.knownFolder()
        try refuse(try verdict(root, manifest, known, false), root.path, known)
    }

    private static func settle(
        _ root: FolderHandle, _ manifest: Manifest, _ isAdopting: Bool
    ) throws(CacheError) {
        let known = try manifest.knownFolder()
        let verdict = try verdict(root, manifest, known, isAdopting)
        try refuse(verdict, root.path, known)
        let folder: String?
        switch verdict {
        case .open, .refuse, .foreign: folder = known.id
        case .note(let found): folder = found
        case .mark:
            let fresh = UUID().uuidString.lowercased()
            try write(manifest.databaseID, fresh, in: root)
            folder = fresh
        }
        guard let folder,
            try manifest.noteFolder(folder, at: root.path, insteadOf: known.id)
        else {
            // Another folder was faster.
            throw .notKnown(path: root.path, .another, lastPath: try manifest.knownFolder().path)
        }
    }

    /// Whether a database may begin with, or go on in, a folder that is not there.
    ///
    /// - Throws: `CacheError.notKnown` when its results are elsewhere.
    static func admitAbsence(
        of path: String, for manifest: Manifest, isAdopting: Bool
    ) throws(CacheError) {
        let known = try manifest.knownFolder()
        let claim = try claim(manifest, known, isAdopting)
        let verdict = try claim.verdict(on: .nothing(isThere: false)) { false }
        try refuse(verdict, path, known)
    }

    private static func claim(
        _ manifest: Manifest, _ known: Manifest.KnownFolder, _ isAdopting: Bool
    ) throws(CacheError) -> FolderClaim {
        FolderClaim(
            database: manifest.databaseID, known: known.id, hasEntries: try manifest.hasEntries(),
            isAdopting: isAdopting)
    }

    private static func verdict(
        _ root: FolderHandle, _ manifest: Manifest, _ known: Manifest.KnownFolder,
        _ isAdopting: Bool
    ) throws(CacheError) -> FolderClaim.Verdict {
        let found = try found(in: root)
        return try claim(manifest, known, isAdopting).verdict(on: found) {
            () throws(CacheError) in
            // Where both name each other, files that are gone are gone, unless the folder of all of them is.
            if case .owned(_, let folder?) = found, folder == known.id {
                return try root.existingFolder("objects")?.names().isEmpty == false
            }
            return try holds(try manifest.sample(), in: root)
        }
    }

    private static func refuse(
        _ verdict: FolderClaim.Verdict, _ path: String, _ known: Manifest.KnownFolder
    ) throws(CacheError) {
        switch verdict {
        case .open, .note, .mark: return
        case .refuse(let doubt): throw .notKnown(path: path, doubt, lastPath: known.path)
        case .foreign(let owner): throw .foreign(path: path, owner: owner)
        }
    }

    /// The database that a folder names; nil for none.
    static func database(of root: FolderHandle) -> String? {
        guard (try? root.facts(name)) != nil, let text = try? read(root) else { return nil }
        return text.split(separator: "\n").first.map(String.init)
    }

    private static func found(in root: FolderHandle) throws(CacheError) -> FolderClaim.Found {
        if try root.facts(name) != nil {
            let lines = try read(root).split(separator: "\n").map(String.init)
            guard let database = lines.first else { return .ownerless }
            return .owned(database: database, folder: lines.dropFirst().first)
        }
        let strangers = try root.names().filter {
            !expected.contains($0) && !$0.hasPrefix(".owner-")
        }
        guard strangers.isEmpty else {
            throw .unsafe(path: root.path, reason: "it holds other things and is no cache")
        }
        return try holdsObjects(root) ? .ownerless : .nothing(isThere: true)
    }

    private static func holdsObjects(_ root: FolderHandle) throws(CacheError) -> Bool {
        guard let objects = try root.existingFolder("objects") else { return false }
        for name in try objects.names() {
            guard try objects.facts(name)?.isFolder == true else { return true }
            if try objects.existingFolder(name)?.names().isEmpty == false { return true }
        }
        return false
    }

    /// Whether at least half of the entries have their files.
    private static func holds(
        _ entries: [ManifestEntry], in root: FolderHandle
    ) throws(CacheError) -> Bool {
        guard let objects = try root.existingFolder("objects") else { return false }
        var present = 0
        for entry in entries {
            guard let shard = try objects.existingFolder(entry.object.shard),
                try shard.facts(entry.object.fileName)?.isRegular == true
            else { continue }
            present += 1
        }
        return present * 2 >= entries.count
    }

    private static func read(_ root: FolderHandle) throws(CacheError) -> String {
        guard let file = try root.openFile(name) else {
            throw .unsafe(path: "\(root.path)/\(name)", reason: "it is not a regular file")
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw .failing("read", "\(root.path)/\(name)", errno) }
        // Only what identities are made of: the rest could be anything.
        let text = bytes[..<count].prefix { $0 == 0x0A || ($0 > 0x20 && $0 < 0x7F) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(
        _ databaseID: String, _ folder: String, in root: FolderHandle
    ) throws(CacheError) {
        let hidden = ".owner-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(root.descriptor, hidden, flags, 0o600)
        guard file >= 0 else { throw .failing("make", "\(root.path)/\(name)", errno) }
        defer {
            close(file)
            unlinkat(root.descriptor, hidden, 0)
        }
        let bytes = Array("\(databaseID)\n\(folder)\n".utf8)
        guard Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw .failing("write", "\(root.path)/\(name)", errno)
        }
        guard renameat(root.descriptor, hidden, root.descriptor, name) == 0 else {
            throw .failing("make", "\(root.path)/\(name)", errno)
        }
        try root.synchronize()
    }
}

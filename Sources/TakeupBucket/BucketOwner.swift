internal import Foundation
internal import TakeupCache
internal import TakeupS3

/// The object that says which database a bucket's prefix belongs to, and which of its caches this is.
///
/// As in a folder: each names the other, so a wrong prefix is told from the one in which an object is missing.
struct BucketOwner {
    private static let mostBytes = 256
    /// Entries that are looked for to tell whether it is the cache that they are about.
    private static let mostSamples = 20
    /// Looks until another process that begins at the same moment is done.
    private static let tries = 5

    let place: BucketPlace
    let manifest: Manifest
    let isAdopting: Bool

    private var path: String { "\(place.address)" }
    private var marker: S3Address { place.object("owner") }

    /// Makes the first prefix of a database its cache, and refuses any other than the one that it knows.
    ///
    /// - Returns: What the marker says.
    /// - Throws: `CacheError` with `.foreign`, `.notKnown`, `.unsafe` or `.objects`.
    func claim() throws(CacheError) -> String {
        for _ in 0..<Self.tries {
            let known = try manifest.knownFolder()
            let verdict = try verdict(known)
            try refuse(verdict, known)
            let folder: String
            switch verdict {
            case .note(let found): folder = found
            case .mark where known.path != path: folder = UUID().uuidString.lowercased()
            case .open, .mark, .refuse, .foreign:
                folder = known.id ?? UUID().uuidString.lowercased()
            }
            // The database comes first: it decides between processes that begin at once, which not every server can.
            // Where another one was faster: look again.
            guard try manifest.noteFolder(folder, at: path, insteadOf: known.id) else { continue }
            if verdict == .mark, try !mark(folder) { continue }
            return text(folder)
        }
        throw .locked(path: path)
    }

    /// Sees that a prefix may hold a copy of the database's results, and marks one that is unused.
    ///
    /// The database does not know it: it has to adopt it first, and then knows the other place no more.
    ///
    /// - Returns: What the marker says.
    /// - Throws: As `claim`.
    func claimCopy() throws(CacheError) -> String {
        for _ in 0..<2 {
            let verdict = try FolderClaim.ofCopy(of: manifest).verdict(on: try found()) { true }
            try refuse(verdict, try manifest.knownFolder())
            let isMarked: Bool
            if verdict == .mark {
                isMarked = try mark(UUID().uuidString.lowercased())
            } else {
                isMarked = true
            }
            if isMarked, let text = try read() { return text }
        }
        throw .locked(path: path)
    }

    /// As `claim`, without writing anything.
    ///
    /// - Returns: What the marker says; nil for a prefix that may become the database's.
    /// - Throws: As `claim`.
    func check() throws(CacheError) -> String? {
        let known = try manifest.knownFolder()
        let verdict = try verdict(known)
        try refuse(verdict, known)
        return try read()
    }

    /// What the marker says now; nil without one.
    func read() throws(CacheError) -> String? {
        let bytes = try place.attempt { () throws(S3Error) in
            try place.client.read(marker, most: Self.mostBytes)
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private func text(_ folder: String) -> String { "\(manifest.databaseID)\n\(folder)\n" }

    /// - Returns: Whether the marker says it; another process may have written another one.
    private func mark(_ folder: String) throws(CacheError) -> Bool {
        do throws(S3Error) {
            try place.client.write(marker, Array(text(folder).utf8), ifAbsent: !isAdopting)
        } catch {
            if error.kind == .conditionFailed { return false }
            try place.attempt { () throws(S3Error) -> Void in throw error }
        }
        // Some servers do not know the condition: the last writer has won there.
        return try read() == text(folder)
    }

    private func verdict(
        _ known: Manifest.KnownFolder
    ) throws(CacheError) -> FolderClaim.Verdict {
        let found = try found()
        let hasEntries = try manifest.hasEntries()
        // Noted by a process that has not written its marker yet, or was killed before.
        if case .nothing = found, known.path == path, !hasEntries { return .mark }
        let claim = FolderClaim(
            database: manifest.databaseID, known: known.id, hasEntries: hasEntries,
            isAdopting: isAdopting)
        return try claim.verdict(on: found) { () throws(CacheError) in
            if case .owned(_, let folder?) = found, folder == known.id {
                return try !isEmpty(place.folder(.objects))
            }
            return try holds(try manifest.sample())
        }
    }

    private func refuse(
        _ verdict: FolderClaim.Verdict, _ known: Manifest.KnownFolder
    ) throws(CacheError) {
        switch verdict {
        case .open, .note, .mark: return
        case .refuse(let doubt): throw .notKnown(path: path, doubt, lastPath: known.path)
        case .foreign(let owner): throw .foreign(path: path, owner: owner)
        }
    }

    private func found() throws(CacheError) -> FolderClaim.Found {
        if let owned = try owned() { return owned }
        let prefix = place.address.key.isEmpty ? "" : "\(place.address.key)/"
        let page = try place.attempt { () throws(S3Error) in
            try place.client.list(place.address.bucket, prefix: prefix)
        }
        let strangers = page.entries.filter { entry in
            !BucketPlace.Folder.allCases.contains {
                entry.key.hasPrefix("\(prefix)\($0.rawValue)/")
            }
        }
        // Written since: it says whose the prefix is.
        if page.entries.contains(where: { $0.key == marker.key }), let owned = try owned() {
            return owned
        }
        guard strangers.isEmpty else {
            throw .unsafe(path: path, reason: "it holds other things and is no cache")
        }
        let probes = place.folder(.probe).key
        return page.entries.allSatisfy { $0.key.hasPrefix(probes) }
            ? .nothing(isThere: true) : .ownerless
    }

    /// What the marker says; nil without one.
    private func owned() throws(CacheError) -> FolderClaim.Found? {
        guard let text = try read() else { return nil }
        let lines = text.split(separator: "\n").map(String.init)
        guard let database = lines.first else { return .ownerless }
        return .owned(database: database, folder: lines.dropFirst().first)
    }

    private func isEmpty(_ folder: S3Address) throws(CacheError) -> Bool {
        try place.attempt { () throws(S3Error) in
            try place.client.list(folder.bucket, prefix: folder.key, most: 1).entries.isEmpty
        }
    }

    /// Whether at least half of some entries have their objects.
    private func holds(_ entries: [ManifestEntry]) throws(CacheError) -> Bool {
        let sample = entries.prefix(Self.mostSamples)
        var present = 0
        for entry in sample {
            let facts = try place.attempt { () throws(S3Error) in
                try place.client.facts(place.object(entry.object))
            }
            if facts?.bytes == entry.bytes { present += 1 }
        }
        return present * 2 >= sample.count
    }
}

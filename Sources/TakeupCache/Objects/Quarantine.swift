internal import Foundation

/// The folder for what is none of the cache's: kept for whoever misses it, but not for ever.
enum Quarantine {
    /// Things that are kept; beyond that the ones that were set aside first are removed.
    static let mostThings = 100
    /// Nothing is removed sooner: a week, in seconds.
    static let leastSeconds = 604_800.0
    /// Results without an entry stay for thirty days, however many they are, in seconds.
    static let orphanSeconds = 2_592_000.0

    /// Removes what is too much, folders with all that is in them; a link's target stays.
    ///
    /// - Parameters:
    ///   - folder: The quarantine.
    ///   - most: Things that stay.
    ///   - now: Seconds since 1970.
    /// - Throws: `CacheError.file` when the folder cannot be read.
    /// - Returns: How many things were removed; what cannot be is left.
    static func prune(
        _ folder: FolderHandle, keeping most: Int = mostThings, now: Double
    ) throws(CacheError) -> Int {
        let names = try folder.names()
        guard names.count > most else { return 0 }
        let oldest = names.map { (age: setAsideAt($0, in: folder), name: $0) }
            .sorted { ($0.age.0, $0.age.1, $0.name) < ($1.age.0, $1.age.1, $1.name) }
            .prefix(names.count - most)
        var removed = 0
        for (age, name) in oldest where now - Double(age.0) >= leastSeconds {
            let path = LocalObjects.path(in: folder, name)
            if (try? FileManager.default.removeItem(atPath: path)) != nil { removed += 1 }
        }
        return removed
    }

    /// Removes the results that were set aside so long ago that nobody is going to miss them.
    ///
    /// - Returns: How many were removed, and how many bytes they took up.
    static func pruneOrphans(
        _ folder: FolderHandle, now: Double
    ) throws(CacheError) -> (count: Int, bytes: Int64) {
        var (count, bytes): (Int, Int64) = (0, 0)
        for name in try folder.names() {
            guard let facts = try folder.facts(name), facts.isRegular,
                now - Double(setAsideAt(name, in: folder).0) >= orphanSeconds
            else { continue }
            try folder.unlink(name)
            (count, bytes) = (count + 1, bytes + facts.bytes)
        }
        return (count, bytes)
    }

    /// The move was the last change of it, in seconds and nanoseconds.
    private static func setAsideAt(_ name: String, in folder: FolderHandle) -> (Int, Int) {
        var facts = stat()
        guard fstatat(folder.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
            return (0, 0)
        }
        return (facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec)
    }
}

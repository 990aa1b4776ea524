import TakeupLanes
import TakeupModel

@testable import TakeupService
@testable import takeup

/// A cache in memory, as the commands see one.
final class FakeCache: Sendable {
    let dryRuns = Locked<[Bool]>([])
    private let entries: Locked<[CacheEntry]>
    private let inUse: Set<String>
    private let damages: [CacheAccess.Damage]

    init(_ ids: [String], inUse: Set<String> = [], damages: [CacheAccess.Damage] = []) {
        entries = Locked(ids.map(Self.entry))
        (self.inUse, self.damages) = (inUse, damages)
    }

    var ids: [String] { entries.withLock { $0.map(\.id) } }

    static func entry(_ id: String) -> CacheEntry {
        CacheEntry(
            id: id, names: [id], path: "/cache/objects/ab/\(id).mp4", bytes: 2_400_000,
            sha256: "ab",
            preset: "medium", source: "/in/\(id).mov", createdAt: 1_000_000,
            expiresAt: 1_604_800, lastAccessAt: 1_003_600, hits: 7, isPinned: id == "kept")
    }

    var access: CacheAccess {
        CacheAccess(
            entries: { [entries] () throws(Failure) in entries.withLock { $0 } },
            use: { [entries] id throws(Failure) in
                entries.withLock { $0.first { $0.id == id } }
            },
            answer: { _ throws(Failure) in nil },
            figures: { () throws(Failure) in
                CacheFigures(
                    entries: 2, bytes: 4_800_000, hits: 20_300, misses: 100,
                    bytesSaved: 48_720_000_000, evictions: 3, exports: 4, retries: 1, speed: 2.5,
                    freeBytes: 1_000_000_000)
            },
            setPinned: { [entries] id, _ throws(Failure) in
                entries.withLock { $0.contains { $0.id == id } }
            },
            remove: { [entries, inUse] id throws(Failure) in
                if inUse.contains(id) { return .inUse }
                if id == "kept" { return .pinned }
                return entries.withLock { entries in
                    let count = entries.count
                    entries.removeAll { $0.id == id }
                    return entries.count < count ? .removed : .unknown
                }
            },
            clean: { [dryRuns] isDryRun throws(Failure) in
                dryRuns.withLock { $0.append(isDryRun) }
                return [
                    .init(
                        id: "old", bytes: 1_000_000, reason: "expired",
                        outcome: isDryRun ? .planned : .removed),
                    .init(id: "read", bytes: 5, reason: "unused", outcome: .inUse),
                ]
            },
            verify: { [damages] () throws(Failure) in (checked: 2, damages: damages) })
    }
}

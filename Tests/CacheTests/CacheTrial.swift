import Foundation
import TakeupCache
import TakeupDigest
import TakeupFiles
import TakeupSQL
import TestSupport
import Testing

/// A cache in a directory of its own, with a clock that stands still.
struct CacheTrial: ~Copyable {
    let folder: TemporaryDirectory
    let clock: VirtualClock
    let cache: MediaCache

    init(_ limits: CacheLimits = CacheLimits(minFreeBytes: 0)) throws {
        let folder = try TemporaryDirectory()
        let clock = VirtualClock()
        cache = try Self.open(folder, clock, limits)
        self.clock = clock
        self.folder = folder
    }

    static func open(
        _ folder: borrowing TemporaryDirectory, _ clock: VirtualClock, _ limits: CacheLimits
    ) throws -> MediaCache {
        let manifest = try Manifest(path: folder.file("takeup.db")) { clock.now }
        return try MediaCache(
            path: folder.file("cache"), manifest: manifest, limits: limits,
            log: AccessLog(folder: folder.path))
    }

    /// A second opening of the same cache, as another process has.
    func again(_ limits: CacheLimits = CacheLimits(minFreeBytes: 0)) throws -> MediaCache {
        try Self.open(folder, clock, limits)
    }

    /// A key as long as a real one.
    static func key(_ name: String) -> String {
        let hex = name.utf8.map { String($0, radix: 16) }.joined()
        return hex + String(repeating: "0", count: max(0, 64 - hex.utf8.count))
    }

    /// Stages, places and records `text` under `name`.
    @discardableResult
    static func add(
        _ text: String, as name: String, to cache: MediaCache, at time: Double
    ) throws -> ManifestEntry {
        let file = try place(text, in: cache)
        let entry = ManifestEntry(
            key: key(name), object: file.object, bytes: file.bytes,
            createdAt: time)
        return try #require(try cache.record(entry, file: file, alias: name, if: { _ in true }))
    }

    static func place(_ text: String, in cache: MediaCache) throws -> ObjectFile {
        let (staged, object) = try stage(text, in: cache)
        return try cache.place(staged, as: object)
    }

    static func stage(_ text: String, in cache: MediaCache) throws -> (PartialFile, ObjectName) {
        let staged = try cache.objects.stage()
        try staged.write(Array(text.utf8))
        let digest = try #require(try SHA256Digest.ofFile(staged.descriptor) { false })
        return (staged, try #require(ObjectName(sha256: digest, fileExtension: .mp4)))
    }

    @discardableResult
    func add(_ text: String, as name: String) throws -> ManifestEntry {
        try Self.add(text, as: name, to: cache, at: clock.now)
    }

    /// The files below a folder of the cache, as paths from there.
    func files(_ name: String = "objects") -> [String] {
        let all = FileManager.default.enumerator(atPath: "\(cache.objects.path)/\(name)")
        return (all?.allObjects as? [String] ?? []).filter { $0.count > 2 }.sorted()
    }

    /// Everything in an open file.
    static func text(_ file: ObjectFile) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(file.bytes) + 1)
        let count = pread(file.descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

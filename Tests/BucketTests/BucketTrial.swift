import Foundation
import TakeupCache
import TakeupDigest
import TakeupFiles
import TakeupLanes
import TakeupS3
import TestSupport
import Testing

@testable import TakeupBucket

/// A cache in a bucket of a server of its own, as one machine of a fleet has it.
struct BucketTrial: ~Copyable {
    static let place = "s3://films/takeup"

    let folder: TemporaryDirectory
    let server: S3Server
    let cache: MediaCache

    init(_ limits: CacheLimits = CacheLimits(minFreeBytes: 0)) throws {
        let folder = try TemporaryDirectory()
        let server = try S3Server(folder: folder.file("buckets"))
        cache = try Self.open(folder, server, "one", limits)
        self.server = server
        self.folder = folder
    }

    /// Opens the cache as another machine does that shares the database.
    func machine(_ name: String) throws -> MediaCache {
        try Self.open(folder, server, name, CacheLimits(minFreeBytes: 0))
    }

    static func client(port: UInt16) throws -> S3Client {
        let settings = try S3Settings(environment: S3Server.environment(port: port)) { _ in nil }
        return S3Client(settings, pause: { _ in })
    }

    static func store(
        _ folder: borrowing TemporaryDirectory, port: UInt16, machine: String,
        place: String = place, database: String = "takeup.db", adopting: Bool = false
    ) throws -> (S3Objects, Manifest) {
        let manifest = try Manifest(path: folder.file(database)) {
            Date().timeIntervalSince1970
        }
        let address = try #require(S3Address(place))
        let store = try S3Objects(
            try client(port: port), address, folder: folder.file(machine), manifest: manifest,
            adopting: adopting)
        return (store, manifest)
    }

    private static func open(
        _ folder: borrowing TemporaryDirectory, _ server: S3Server, _ machine: String,
        _ limits: CacheLimits
    ) throws -> MediaCache {
        let (store, manifest) = try store(folder, port: server.port, machine: machine)
        return MediaCache(objects: store, manifest: manifest, limits: limits)
    }

    static func stage(_ text: String, in cache: MediaCache) throws -> (PartialFile, ObjectName) {
        let staged = try cache.objects.stage()
        try staged.write(Array(text.utf8))
        let digest = try #require(try SHA256Digest.ofFile(staged.descriptor) { false })
        return (staged, try #require(ObjectName(sha256: digest, fileExtension: .mp4)))
    }

    /// Stages, places and records `text` under `name`.
    @discardableResult
    static func add(_ text: String, as name: String, to cache: MediaCache) throws -> ManifestEntry {
        let (staged, object) = try stage(text, in: cache)
        let file = try cache.place(staged, as: object)
        let key = name + String(repeating: "0", count: 64 - name.utf8.count)
        let entry = ManifestEntry(
            key: key, object: object, bytes: file.bytes,
            createdAt: Date().timeIntervalSince1970)
        return try #require(try cache.record(entry, file: file, alias: name, if: { _ in true }))
    }

    /// The file behind an object.
    func file(_ entry: ManifestEntry) -> String {
        let sha256 = entry.sha256
        return server.file("takeup/objects/\(sha256.prefix(2))/\(sha256).mp4")
    }

    /// The copies of a machine.
    func copies(_ machine: String = "one") -> [String] {
        let all = try? FileManager.default.contentsOfDirectory(
            atPath: folder.file("\(machine)/copies"))
        return (all ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    static func text(_ file: ObjectFile) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(file.bytes) + 1)
        let count = pread(file.descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

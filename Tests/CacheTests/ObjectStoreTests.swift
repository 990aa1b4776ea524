import TakeupCache
import TestSupport
import Testing

/// The cache on a store that is no folder of this machine.
@Suite("Object stores")
struct ObjectStoreTests {
    private func cache(
        _ folder: borrowing TemporaryDirectory, _ limits: CacheLimits = CacheLimits(minFreeBytes: 0)
    ) throws -> (MediaCache, BucketObjects) {
        let bucket = BucketObjects(path: folder.path)
        let manifest = try Manifest(path: folder.file("takeup.db")) { 1000 }
        return (MediaCache(objects: bucket, manifest: manifest, limits: limits), bucket)
    }

    @Test("results are found, shared and let go in a bucket as in a folder")
    func life() throws {
        let folder = try TemporaryDirectory()
        let (cache, bucket) = try cache(folder, CacheLimits(maxEntries: 2, minFreeBytes: 0))
        for (name, text) in [("a", "one"), ("b", "two"), ("c", "two")] {
            try CacheTrial.add(text, as: name, to: cache, at: 1000)
        }
        #expect(bucket.names.count == 2)
        let found = try #require(try cache.lookup("b"))
        #expect(CacheTrial.text(found.file) == "two")
        #expect(try cache.clean().map(\.outcome) == [.removed])
        #expect(try cache.lookup("a") == nil)
        #expect(bucket.names.count == 1)
        #expect(try cache.remove("b") == .removed(bytes: 3))
        // Another entry has the same content.
        #expect(bucket.names.count == 1)
        #expect(try cache.lookup("c") != nil)
        #expect(try cache.remove("c") == .removed(bytes: 3))
        #expect(bucket.names.isEmpty)
    }

    @Test(
        "what a bucket has lost or changed is a miss, and is told",
        arguments: ["lost", "cut", "changed"])
    func damage(kind: String) throws {
        let folder = try TemporaryDirectory()
        let (cache, bucket) = try cache(folder)
        let entry = try CacheTrial.add("hello", as: "a", to: cache, at: 1000)
        let bytes: [String: [UInt8]] = ["cut": Array("hell".utf8), "changed": Array("hullo".utf8)]
        bucket.damage(entry.object, bytes[kind])
        #expect(try cache.verify(repairing: false).count == 1)
        #expect(try cache.lookup("a") == nil)
        #expect(try cache.manifest.entries().isEmpty)
    }

    @Test("a file that was set aside comes back with its row")
    func repair() throws {
        let folder = try TemporaryDirectory()
        let (cache, bucket) = try cache(folder)
        let entry = try CacheTrial.add("hello", as: "a", to: cache, at: 1000)
        _ = try bucket.remove(entry.object, .setAside, if: { true }, unless: { false })
        #expect(try cache.statistics().orphans == 1)
        #expect(try cache.reconcile().restored == 1)
        #expect(try cache.lookup("a") != nil)
    }
}

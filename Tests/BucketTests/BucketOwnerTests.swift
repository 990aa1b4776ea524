import Foundation
import TakeupCache
import TakeupModel
import TakeupS3
import TestSupport
import Testing

@testable import TakeupBucket

/// Which prefix is a database's cache, and which is refused.
@Suite("Owner of a bucket", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct BucketOwnerTests {
    private func error(_ body: () throws -> Void) -> CacheError? {
        do {
            try body()
            return nil
        } catch {
            return error as? CacheError
        }
    }

    @Test("a prefix belongs to the database that began it")
    func belongs() throws {
        let trial = try BucketTrial()
        #expect(trial.server.keys() == ["takeup/owner"])
        try BucketTrial.add("one", as: "a", to: trial.cache)
        let port = trial.server.port
        _ = try BucketTrial.store(trial.folder, port: port, machine: "two")
        let foreign = error {
            _ = try BucketTrial.store(
                trial.folder, port: port, machine: "three", database: "other.db")
        }
        guard case .foreign? = foreign else {
            Issue.record("\(String(describing: foreign))")
            return
        }
        // A wrong prefix is empty: nothing is dropped for it.
        let empty = error {
            _ = try BucketTrial.store(
                trial.folder, port: port, machine: "one", place: "s3://films/other")
        }
        guard case .notKnown(_, .empty, _)? = empty else {
            Issue.record("\(String(describing: empty))")
            return
        }
        #expect(trial.server.keys("other").isEmpty)
        #expect(try trial.cache.manifest.entries().count == 1)
    }

    @Test("a prefix that holds other things is none")
    func others() throws {
        let trial = try BucketTrial()
        try FileManager.default.createDirectory(
            atPath: trial.server.file("photos"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: trial.server.file("photos/a.jpg")))
        let found = error {
            _ = try BucketTrial.store(
                trial.folder, port: trial.server.port, machine: "x", place: "s3://films/photos",
                database: "new.db")
        }
        guard case .unsafe? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(trial.server.keys("photos") == ["photos/a.jpg"])
    }

    @Test("a bucket that has lost everything, or is another one, drops no row")
    func emptied() throws {
        let trial = try BucketTrial()
        let entry = try BucketTrial.add("one", as: "a", to: trial.cache)
        let root = trial.server.file("takeup")
        try FileManager.default.removeItem(atPath: "\(root)/objects")
        let emptied = error {
            _ = try BucketTrial.store(trial.folder, port: trial.server.port, machine: "two")
        }
        guard case .notKnown(_, .emptied, _)? = emptied else {
            Issue.record("\(String(describing: emptied))")
            return
        }
        // While it is open, another bucket takes its place.
        try FileManager.default.removeItem(atPath: root)
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true)
        try Data("other\nother\n".utf8).write(to: URL(fileURLWithPath: "\(root)/owner"))
        let gone = error { _ = try trial.cache.objects.size(of: entry.object) }
        #expect(gone == .gone(path: "s3://films/takeup"))
        #expect(error { _ = try trial.cache.reconcile() } == .gone(path: "s3://films/takeup"))
        #expect(try trial.cache.manifest.entries().count == 1)
        let missing = error {
            _ = try BucketTrial.store(
                trial.folder, port: trial.server.port, machine: "x", place: "s3://nobody/x",
                database: "new.db")
        }
        guard case .objects(let failure)? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(failure.code == "bucketMissing")
        #expect(failure.exitCode == .configuration)
    }
}

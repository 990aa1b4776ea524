import Foundation
import TakeupCache
import TakeupFiles
import TakeupModel
import TakeupS3
import TestSupport
import Testing

@testable import TakeupBucket

/// The cache on a bucket of a real server.
@Suite("Objects in a bucket", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct S3ObjectsTests {
    @Test("results are found by other machines, shared, and let go")
    func life() throws {
        let trial = try BucketTrial(CacheLimits(maxEntries: 2, minFreeBytes: 0))
        for (name, text) in [("a", "one"), ("b", "two"), ("c", "two")] {
            try BucketTrial.add(text, as: name, to: trial.cache)
        }
        #expect(trial.server.keys("takeup/objects/").count == 2)
        let other = try trial.machine("two")
        let found = try #require(try other.lookup("b"))
        #expect(BucketTrial.text(found.file) == "two")
        #expect(trial.copies("two").count == 1)
        #expect(try trial.cache.clean().map(\.outcome) == [.removed])
        #expect(try other.lookup("a") == nil)
        #expect(try trial.cache.remove("b") == .removed(bytes: 3))
        // Another entry has the same content.
        #expect(trial.server.keys("takeup/objects/").count == 1)
        #expect(try trial.cache.remove("c") == .removed(bytes: 3))
        #expect(trial.server.keys("takeup/objects/").isEmpty)
        #expect(trial.copies().isEmpty)
    }

    @Test("who may not record a result leaves its object to others, who may be about to record it")
    func refusedRecord() throws {
        let trial = try BucketTrial()
        let (late, object) = try BucketTrial.stage("one", in: trial.cache)
        let entry = ManifestEntry(
            key: String(repeating: "a", count: 64), object: object, bytes: 3, createdAt: 1)
        let file = try trial.cache.place(late, as: object)
        let refused = try trial.cache.record(entry, file: file, alias: nil, if: { _ in false })
        #expect(refused == nil && trial.copies().isEmpty)
        #expect(trial.server.keys("takeup/objects/").count == 1)
    }

    @Test("a copy serves what was read before while the server is away; nothing is dropped then")
    func outage() throws {
        let trial = try BucketTrial()
        try BucketTrial.add("one", as: "a", to: trial.cache)
        try BucketTrial.add("two", as: "b", to: trial.cache)
        let other = try trial.machine("two")
        _ = try #require(try other.lookup("a"))
        trial.server.stop()
        #expect(try other.lookup("a").map { BucketTrial.text($0.file) } == "one")
        let error = #expect(throws: CacheError.self) { try other.lookup("b") }
        guard case .objects(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.exitCode == .unavailable)
        #expect(throws: CacheError.self) { try other.reconcile() }
        #expect(try other.manifest.entries().count == 2)
    }

    @Test(
        "what a bucket has lost or changed is a miss, and is told",
        arguments: ["lost", "cut", "changed"])
    func damage(kind: String) throws {
        let trial = try BucketTrial()
        let entry = try BucketTrial.add("hello", as: "a", to: trial.cache)
        let other = try trial.machine("two")
        let path = trial.file(entry)
        switch kind {
        case "lost": try FileManager.default.removeItem(atPath: path)
        case "cut": try Data("hell".utf8).write(to: URL(fileURLWithPath: path))
        default: try Data("hullo".utf8).write(to: URL(fileURLWithPath: path))
        }
        #expect(try other.verify(repairing: false).count == 1)
        #expect(try other.lookup("a") == nil)
        #expect(try other.manifest.entries().isEmpty)
        let kept = trial.server.keys("takeup/quarantine/")
        #expect(kept.count == (kind == "changed" ? 1 : 0))
    }

    @Test("a copy that has rotted is replaced; the object stays")
    func rottenCopy() throws {
        let trial = try BucketTrial()
        let entry = try BucketTrial.add("hello", as: "a", to: trial.cache)
        let other = try trial.machine("two")
        _ = try #require(try other.lookup("a"))
        let copy = try #require(trial.copies("two").first)
        try Data("hullo".utf8).write(
            to: URL(fileURLWithPath: trial.folder.file("two/copies/\(copy)")))
        #expect(try other.lookup("a") == nil)
        #expect(try other.lookup("a").map { BucketTrial.text($0.file) } == "hello")
        #expect(FileManager.default.fileExists(atPath: trial.file(entry)))
    }

    @Test("repair brings back, drops and sets aside, and leaves what is young or of others")
    func repair() throws {
        let trial = try BucketTrial()
        let kept = try BucketTrial.add("kept", as: "a", to: trial.cache)
        let lost = try BucketTrial.add("lost", as: "b", to: trial.cache)
        let aside = try BucketTrial.add("aside", as: "c", to: trial.cache)
        _ = try trial.cache.objects.remove(aside.object, .setAside, if: { true }, unless: { false })
        try FileManager.default.removeItem(atPath: trial.file(lost))
        let young = try BucketTrial.stage("young", in: trial.cache)
        _ = try trial.cache.place(young.0, as: young.1)
        let old = try BucketTrial.stage("old", in: trial.cache)
        _ = try trial.cache.place(old.0, as: old.1)
        let oldFile = trial.server.file(
            "takeup/objects/\(old.1.sha256.prefix(2))/\(old.1.fileName)")
        let past = Date(timeIntervalSinceNow: -7200)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: oldFile)
        let foreign = trial.server.file("takeup/objects/notes.txt")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign))
        let found = try trial.machine("two").reconcile()
        #expect(found.entries == 3)
        #expect(found.restored == 1)
        #expect(found.droppedRows == 1)
        #expect(found.orphans == 1)
        #expect(found.heldFiles == 1)
        #expect(FileManager.default.fileExists(atPath: trial.file(kept)))
        #expect(FileManager.default.fileExists(atPath: trial.file(aside)))
        #expect(FileManager.default.fileExists(atPath: foreign))
        #expect(trial.server.keys("takeup/orphans/") == ["takeup/orphans/\(old.1.fileName)"])
        #expect(try trial.cache.statistics().orphans == 1)
    }

    @Test("an object that goes while its row is written comes back")
    func race() throws {
        let trial = try BucketTrial()
        let (staged, object) = try BucketTrial.stage("one", in: trial.cache)
        let file = try trial.cache.place(staged, as: object)
        let entry = ManifestEntry(
            key: String(repeating: "0", count: 64), object: object, bytes: file.bytes,
            createdAt: 1)
        // Another machine removes it after it was placed and before its row is there.
        let path = trial.file(entry)
        let recorded = try trial.cache.record(
            entry, file: file, alias: "a",
            if: { _ in (try? FileManager.default.removeItem(atPath: path)) != nil })
        #expect(recorded != nil)
        #expect(FileManager.default.fileExists(atPath: trial.file(entry)))
    }

    @Test("copies stay within their bound, and those that are read stay")
    func copies() throws {
        let trial = try BucketTrial()
        let folder = trial.folder.file("copies")
        let copies = try ReadCopies(folder: folder, mostBytes: 3 * 4096)
        var held: [ObjectFile] = []
        for number in 0..<5 {
            let (_, object) = try BucketTrial.stage("text \(number)", in: trial.cache)
            let own = try copies.stage()
            try own.write(Array("text \(number)".utf8))
            let file = try copies.keep(own, as: object)
            if number == 0 { held.append(file) }
            let used = timeval(tv_sec: number + 1, tv_usec: 0)
            utimes(copies.path(of: object), [used, used])
        }
        #expect(copies.trim() <= 3 * 4096)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { !$0.hasPrefix(".") }
        #expect(names.count == 3)
        #expect(names.contains(try #require(held.first).object.fileName))
    }

    @Test("a signed address reads the result, and counts as a use")
    func address() throws {
        let trial = try BucketTrial()
        try BucketTrial.add("hello", as: "a", to: trial.cache)
        guard case .address(let address)? = try trial.cache.address(of: "a", seconds: 60) else {
            Issue.record("no address")
            return
        }
        #expect(try Subprocess.run("curl", ["-sS", address]).outputText == "hello")
        #expect(try trial.cache.statistics().hits == 1)
        #expect(try trial.cache.address(of: "nothing", seconds: 60) == nil)
    }
}

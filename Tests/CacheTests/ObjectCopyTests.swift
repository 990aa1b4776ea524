import Foundation
import TakeupCache
import TakeupLanes
import TestSupport
import Testing

@Suite("Copies of the objects")
struct ObjectCopyTests {
    private func copy(
        _ trial: borrowing CacheTrial, to name: String
    ) throws -> ObjectCopy.Tally {
        let manifest = trial.cache.manifest
        let target = try LocalObjects(
            path: trial.folder.file(name), manifest: manifest, copying: true)
        return try ObjectCopy(
            manifest, from: try LocalObjects(reading: trial.cache.objects.path, manifest: manifest),
            to: target
        ).perform(isStopped: { false })
    }

    private func text(_ entry: ManifestEntry, in folder: String) throws -> String {
        let path = "\(folder)/objects/\(entry.sha256.prefix(2))/\(entry.sha256).mp4"
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test("every file that a row names is copied once; again, nothing is")
    func copies() throws {
        let trial = try CacheTrial()
        let entries = try (0..<20).map { try trial.add("result \($0)", as: "r\($0)") }
        // Two rows of one file.
        try trial.add("result 0", as: "same")
        let bytes = Int64((0..<20).reduce(0) { $0 + "result \($1)".utf8.count })
        let first = try copy(trial, to: "target")
        #expect(first.objects == 20 && first.copied == 20 && first.present == 0)
        #expect(first.copiedBytes == bytes && first.presentBytes == 0)
        for (number, entry) in entries.enumerated() {
            #expect(try text(entry, in: trial.folder.file("target")) == "result \(number)")
        }
        try trial.add("late", as: "late")
        // One that is not what its name says is replaced.
        let wrong = entries[3]
        let path = trial.folder.file(
            "target/objects/\(wrong.sha256.prefix(2))/\(wrong.sha256).mp4")
        try FileManager.default.removeItem(atPath: path)
        try Data("RESULT 3".utf8).write(to: URL(filePath: path))
        let second = try copy(trial, to: "target")
        #expect(second.copied == 2 && second.present == 19 && second.presentBytes == bytes - 8)
        #expect(try text(wrong, in: trial.folder.file("target")) == "result 3")
        // The source has not changed.
        #expect(try trial.cache.verify(repairing: false).isEmpty)
    }

    @Test("what the source lacks is told, and the rest is copied")
    func damage() throws {
        let trial = try CacheTrial()
        let lost = try trial.add("lost", as: "lost")
        let bad = try trial.add("good", as: "bad")
        try trial.add("fine", as: "fine")
        let objects = "\(trial.cache.objects.path)/objects"
        try FileManager.default.removeItem(
            atPath: "\(objects)/\(lost.sha256.prefix(2))/\(lost.sha256).mp4")
        let path = "\(objects)/\(bad.sha256.prefix(2))/\(bad.sha256).mp4"
        try Data("evil".utf8).write(to: URL(filePath: path))
        let tally = try copy(trial, to: "target")
        #expect(tally.copied == 1 && tally.objects == 3)
        #expect(tally.missing == [lost.object] && tally.damaged == [bad.object])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "evil")
        #expect(throws: (any Error).self) { try text(bad, in: trial.folder.file("target")) }
    }

    @Test("the database knows the copy only once it has adopted it, and then the other no more")
    func adoption() throws {
        let trial = try CacheTrial()
        try trial.add("one", as: "one")
        _ = try copy(trial, to: "target")
        let manifest = trial.cache.manifest
        func open(_ name: String, adopting: Bool = false) throws -> MediaCache {
            try MediaCache(
                path: trial.folder.file(name), manifest: manifest, limits: CacheLimits(),
                adopting: adopting)
        }
        func isAnother(_ error: (any Error)?) -> Bool {
            if case .notKnown(_, .another, _)? = error as? CacheError { true } else { false }
        }
        #expect(isAnother(#expect(throws: CacheError.self) { try open("target") }))
        let moved = try open("target", adopting: true)
        let found = try #require(try moved.lookup("one"))
        #expect(CacheTrial.text(found.file) == "one")
        #expect(try open("target").verify(repairing: false).isEmpty)
        #expect(isAnother(#expect(throws: CacheError.self) { try open("cache") }))
        #expect(isAnother(#expect(throws: CacheError.self) { try copy(trial, to: "third") }))
        // And back.
        try CacheTrial.add("two", as: "two", to: moved, at: trial.clock.now)
        let back = try ObjectCopy(
            manifest,
            from: try LocalObjects(reading: trial.folder.file("target"), manifest: manifest),
            to: try LocalObjects(
                path: trial.folder.file("cache"), manifest: manifest, copying: true)
        ).perform(isStopped: { false })
        #expect(back.copied == 1 && back.present == 1)
        #expect(try open("cache", adopting: true).lookup("two") != nil)
    }

    @Test("a target of another database, or with other things, is refused and left as it is")
    func refusals() throws {
        let trial = try CacheTrial()
        try trial.add("one", as: "one")
        let other = try CacheTrial()
        let path = other.cache.objects.path
        let manifest = trial.cache.manifest
        #expect(throws: CacheError.foreign(path: path, owner: other.cache.manifest.databaseID)) {
            try LocalObjects(path: path, manifest: manifest, copying: true)
        }
        let full = trial.folder.file("full")
        try FileManager.default.createDirectory(
            atPath: full, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try Data("mine".utf8).write(to: URL(filePath: "\(full)/notes.txt"))
        #expect(throws: CacheError.self) {
            try LocalObjects(path: full, manifest: manifest, copying: true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: full) == ["notes.txt"])
        #expect(other.files().isEmpty)
    }

    @Test("a stop ends it after the files that are on their way")
    func stops() throws {
        let trial = try CacheTrial()
        for number in 0..<40 { try trial.add("result \(number)", as: "r\(number)") }
        let manifest = trial.cache.manifest
        let done = Locked(0)
        let tally = try ObjectCopy(
            manifest, from: trial.cache.objects,
            to: try LocalObjects(
                path: trial.folder.file("target"), manifest: manifest, copying: true)
        ).perform(isStopped: { done.withLock { $0 } >= 3 }) { _ in done.withLock { $0 += 1 } }
        #expect(tally.isStopped && (3...7).contains(tally.copied), "\(tally.copied)")
    }
}

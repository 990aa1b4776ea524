import Foundation
import TestSupport
import Testing

@testable import TakeupCache

@Suite("Cache repair")
struct RepairTests {
    @Test("finds nothing to do in a good cache")
    func good() throws {
        let trial = try CacheTrial()
        for number in 0..<20 { try trial.add("content \(number)", as: "e\(number)") }
        var expected = Reconciliation()
        expected.entries = 20
        #expect(try trial.cache.reconcile() == expected)
        #expect(try trial.cache.verify(repairing: true).isEmpty)
    }

    @Test("drops rows without a file and with one of another size, and sets that file aside")
    func rows() throws {
        let trial = try CacheTrial()
        let paths = try ["a", "b", "c", "d"].map {
            trial.cache.objects.path(of: try trial.add("content of \($0)", as: $0).object)
        }
        unlink(paths[0])
        truncate(paths[1], 3)
        truncate(paths[2], 300)
        var expected = Reconciliation()
        (expected.entries, expected.droppedRows, expected.orphans) = (4, 3, 2)
        #expect(try trial.cache.reconcile() == expected)
        #expect(try trial.cache.manifest.entries().map(\.id) == ["d"])
        #expect(trial.files().count == 1)
        #expect(try trial.cache.statistics().damaged == 3)
    }

    @Test("sets a file aside that no row names, unless somebody holds it")
    func orphans() throws {
        let trial = try CacheTrial()
        var held: ObjectFile? = try CacheTrial.place("held", in: trial.cache)
        _ = try CacheTrial.place("let go", in: trial.cache)
        var expected = Reconciliation()
        (expected.orphans, expected.heldFiles) = (1, 1)
        #expect(try trial.again().reconcile() == expected)
        #expect(trial.files().count == 1 && held != nil)
        held = nil
        (expected.orphans, expected.heldFiles) = (1, 0)
        #expect(try trial.again().reconcile() == expected)
        #expect(trial.files().isEmpty && trial.files("orphans").count == 2)
    }

    @Test(
        "brings back what was set aside as soon as a row names it, and lets it go after thirty days"
    )
    func broughtBack() throws {
        let trial = try CacheTrial()
        let kept = try trial.add("kept", as: "kept").object
        let asked = try trial.add("asked", as: "asked").object
        let lost = try trial.add("lost", as: "lost").object
        let root = trial.cache.objects.path
        for object in [kept, asked, lost] {
            rename(trial.cache.objects.path(of: object), "\(root)/orphans/\(object.fileName)")
        }
        truncate("\(root)/orphans/\(lost.fileName)", 1)
        #expect(try trial.cache.lookup("asked") != nil)
        var expected = Reconciliation()
        (expected.entries, expected.restored, expected.droppedRows) = (3, 1, 1)
        #expect(try trial.cache.reconcile() == expected)
        #expect(try trial.cache.lookup("kept") != nil && trial.files("orphans").count == 1)
        let setAside = Double(Self.changedAt("\(root)/orphans/\(lost.fileName)")) / 1e9
        trial.clock.now = setAside + Quarantine.orphanSeconds - 60
        #expect(try trial.cache.reconcile().isRepair == false)
        trial.clock.now = setAside + Quarantine.orphanSeconds + 60
        let found = try trial.cache.reconcile()
        #expect(found.removedOrphans == 1 && found.removedOrphanBytes == 1)
        #expect("\(found)" == "1 results without an entry for 30 days removed (1 bytes)")
        #expect(trial.files("orphans").isEmpty)
    }

    @Test("moves what is none of its own to the quarantine, and follows no link")
    func strangers() throws {
        let trial = try CacheTrial()
        let objects = "\(trial.cache.objects.path)/objects"
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: "\(objects)/ab/deep/er", withIntermediateDirectories: true)
        try Data("1".utf8).write(to: URL(fileURLWithPath: "\(objects)/ab/letter.txt"))
        try Data("2".utf8).write(to: URL(fileURLWithPath: "\(objects)/ab/deep/er/x"))
        let outside = try trial.folder.write(Data("outside".utf8), to: "outside")
        symlink(outside, "\(objects)/ab/\(String(repeating: "ab", count: 32)).mp4")
        symlink(trial.folder.path, "\(objects)/cd")
        // In another hash's folder.
        let wrong = "\(objects)/ab/\(String(repeating: "cd", count: 32)).mp4"
        try Data("3".utf8).write(to: URL(fileURLWithPath: wrong))
        let found = try trial.cache.reconcile()
        #expect(found.quarantined == 5 && found.orphans == 0)
        #expect(trial.files().isEmpty)
        #expect(
            try manager.contentsOfDirectory(
                atPath: "\(trial.cache.objects.path)/quarantine"
            ).count == 5)
        #expect(try Data(contentsOf: URL(fileURLWithPath: outside)) == Data("outside".utf8))
    }

    @Test("sets permissions right and sweeps what writers that are gone have staged")
    func leftovers() throws {
        let trial = try CacheTrial()
        let entry = try trial.add("text", as: "a")
        chmod(trial.cache.objects.path(of: entry.object), 0o644)
        chmod("\(trial.cache.objects.path)/objects/\(entry.sha256.prefix(2))", 0o755)
        let left = "\(trial.cache.objects.path)/staging/.takeup-1.partial"
        try Data("left".utf8).write(to: URL(fileURLWithPath: left))
        var expected = Reconciliation()
        (expected.entries, expected.fixedPermissions, expected.removedStaged) = (1, 2, 1)
        #expect(try trial.cache.reconcile() == expected)
        #expect(try trial.cache.lookup("a") != nil && trial.files("staging").isEmpty)
    }

    @Test(
        "a file that may not be opened is set aside, and only what concerns them all ends the repair",
        arguments: [
            (CacheError.failing("open", "/c", EACCES), true),
            (.failing("change", "/c", EPERM), true), (.failing("open", "/c", EROFS), false),
            (.failing("open", "/c", EMFILE), false), (.failing("open", "/c", ENOSPC), false),
            (.unsafe(path: "/c", reason: "it is no folder"), false),
        ])
    func unreadable(error: CacheError, isSetAside: Bool) {
        #expect(Reconciler.isOfOneFile(error) == isSetAside)
    }

    @Test("an object of mode 000 ends as a good one or aside, never the repair")
    func modeless() throws {
        let trial = try CacheTrial()
        let entry = try trial.add("text", as: "a")
        try trial.add("more", as: "b")
        chmod(trial.cache.objects.path(of: entry.object), 0)
        let found = try trial.cache.reconcile()
        // Root may open anything.
        #expect(found.fixedPermissions + found.quarantined == 1)
        #expect(found.droppedRows == found.quarantined)
        #expect(try trial.cache.lookup("b") != nil)
    }

    private static func changedAt(_ path: String) -> Int {
        var facts = stat()
        lstat(path, &facts)
        return facts.st_ctim.tv_sec * 1_000_000_000 + facts.st_ctim.tv_nsec
    }

    @Test("keeps the last hundred things that were set aside, and reaches nothing through a link")
    func quarantineBound() throws {
        let trial = try CacheTrial()
        let folder = "\(trial.cache.objects.path)/quarantine"
        let outside = try trial.folder.write(Data("outside".utf8), to: "outside")
        symlink(outside, "\(folder)/first")
        try FileManager.default.createDirectory(
            atPath: "\(folder)/second/deep", withIntermediateDirectories: true)
        symlink(outside, "\(folder)/second/deep/link")
        // Names that are given within one tick of the clock have one age.
        let probe = try trial.folder.write(Data(), to: "probe")
        while Self.changedAt(probe) <= Self.changedAt("\(folder)/second") { chmod(probe, 0o600) }
        for number in 0..<Quarantine.mostThings {
            _ = try trial.folder.write(Data(), to: "cache/quarantine/\(number)")
        }
        let last = Double(Self.changedAt(folder)) / 1e9
        trial.clock.now = last + Quarantine.leastSeconds - 60
        #expect(try trial.cache.reconcile() == Reconciliation())
        trial.clock.now = last + Quarantine.leastSeconds + 60
        let found = try trial.cache.reconcile()
        #expect(found.removedQuarantined == 2 && found.isRepair)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(left) == Set((0..<Quarantine.mostThings).map { "\($0)" }))
        #expect(FileManager.default.fileExists(atPath: outside))
        #expect(try trial.cache.reconcile() == Reconciliation())
    }

    @Test("finds flipped, short and missing files by hashing, and removes them when asked")
    func verify() throws {
        let trial = try CacheTrial()
        let paths = try ["a", "b", "c", "d"].map {
            trial.cache.objects.path(of: try trial.add("content of \($0)", as: $0).object)
        }
        try Data("Content of a".utf8).write(to: URL(fileURLWithPath: paths[0]), options: [])
        truncate(paths[1], 3)
        unlink(paths[2])
        var steps: [Int] = []
        let told = try trial.cache.verify(repairing: false) { done, total in
            steps.append(done * 10 + total)
            return true
        }
        #expect(steps == [14, 24, 34, 44])
        let kinds = Dictionary(uniqueKeysWithValues: told.map { ($0.id, $0.kind) })
        #expect(kinds == ["a": .wrongContent, "b": .wrongSize, "c": .missing])
        #expect(try trial.cache.manifest.entries().count == 4)
        let repaired = try trial.cache.verify(repairing: true)
        #expect(repaired.count == 3 && repaired.allSatisfy(\.isRepaired))
        #expect(try trial.cache.manifest.entries().map(\.id) == ["d"] && trial.files().count == 1)
        #expect(try trial.cache.verify(repairing: true) { _, _ in false }.isEmpty)
    }
}

import Foundation
import TakeupCache
import TestSupport
import Testing

@Suite("Cache directory")
struct LocalObjectsTests {
    private func mode(_ path: String) -> UInt32 {
        var facts = stat()
        return lstat(path, &facts) == 0 ? UInt32(facts.st_mode & 0o7777) : 0
    }

    private func failure(_ path: String, _ manifest: Manifest) -> CacheError? {
        do throws(CacheError) {
            _ = try LocalObjects(path: path, manifest: manifest)
            return nil
        } catch {
            return error
        }
    }

    private func manifest(
        _ folder: borrowing TemporaryDirectory, _ name: String = "takeup.db"
    ) throws -> Manifest {
        try Manifest(path: folder.file(name)) { 1_000_000 }
    }

    @Test("keeps files and folders to their owner")
    func modes() throws {
        let trial = try CacheTrial()
        let entry = try trial.add("hello", as: "a")
        let root = trial.cache.objects.path
        for folder in [
            "", "/objects", "/staging", "/orphans", "/quarantine",
            "/objects/\(entry.object.sha256.prefix(2))",
        ] {
            #expect(mode(root + folder) == 0o700, "\(folder)")
        }
        #expect(mode(trial.cache.objects.path(of: entry.object)) == 0o600)
        #expect(mode("\(root)/owner") == 0o600)
        #expect(trial.files("staging").isEmpty)
    }

    @Test("makes the folders above its root")
    func parents() throws {
        let folder = try TemporaryDirectory()
        let manifest = try manifest(folder)
        #expect(failure(folder.file("a/b/c/cache"), manifest) == nil)
        #expect(mode(folder.file("a/b")) == 0o700)
        #expect(failure(folder.file("a/b/c/cache"), manifest) == nil)
    }

    @Test("refuses a second database")
    func foreign() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cache")
        let (first, second) = (try manifest(folder), try manifest(folder, "second.db"))
        #expect(failure(path, first) == nil)
        #expect(failure(path, second) == .foreign(path: path, owner: first.databaseID))
        #expect(failure(path, first) == nil)
    }

    @Test("refuses a root that is a link, that others may write to, or that holds other things")
    func unsafe() throws {
        let folder = try TemporaryDirectory()
        let manifest = try manifest(folder)
        try FileManager.default.createDirectory(
            atPath: folder.file("real"), withIntermediateDirectories: false)
        symlink(folder.file("real"), folder.file("link"))
        #expect(
            failure(folder.file("link"), manifest)
                == .unsafe(path: folder.file("link"), reason: "it is a symbolic link"))
        for open in [0o770, 0o707, 0o777] as [mode_t] {
            chmod(folder.file("real"), open)
            #expect(
                failure(folder.file("real"), manifest)
                    == .unsafe(path: folder.file("real"), reason: "others may write to it"))
        }
        chmod(folder.file("real"), 0o700)
        try folder.write(Data("x".utf8), to: "real/letter.txt")
        #expect(
            failure(folder.file("real"), manifest)
                == .unsafe(
                    path: folder.file("real"), reason: "it holds other things and is no cache"))
    }

    @Test(
        "says that it cannot write",
        .enabled(if: FileManager.default.fileExists(atPath: "/sys/kernel")))
    func readOnly() throws {
        // The kernel lets nobody make a folder there.
        let folder = try TemporaryDirectory()
        let found = failure("/sys/kernel/takeup-cache", try manifest(folder))
        guard case .notWritable(path: "/sys/kernel/takeup-cache", _) = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test("takes a good file of the same content instead of a second one")
    func same() throws {
        let trial = try CacheTrial()
        let first = try CacheTrial.place("same", in: trial.cache)
        let second = try CacheTrial.place("same", in: trial.cache)
        #expect(first.path == second.path && trial.files().count == 1)
        #expect(CacheTrial.text(second) == "same")
    }

    @Test(
        "replaces a damaged file of that name", arguments: ["short", "flipped", "link", "folder"])
    func damaged(kind: String) throws {
        let trial = try CacheTrial()
        let (staged, object) = try CacheTrial.stage("content", in: trial.cache)
        let path = trial.cache.objects.path(of: object)
        try FileManager.default.createDirectory(
            atPath: String(path.dropLast(69)), withIntermediateDirectories: true)
        let secret = try trial.folder.write(Data("secret!".utf8), to: "secret")
        switch kind {
        case "short": try Data("cont".utf8).write(to: URL(fileURLWithPath: path))
        case "flipped": try Data("Content".utf8).write(to: URL(fileURLWithPath: path))
        case "link": symlink(secret, path)
        default:
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        }
        let placed = try trial.cache.place(staged, as: object)
        #expect(CacheTrial.text(placed) == "content" && mode(path) == 0o600)
        #expect(try Data(contentsOf: URL(fileURLWithPath: secret)) == Data("secret!".utf8))
        #expect(trial.files("quarantine").count <= 1)
    }
}

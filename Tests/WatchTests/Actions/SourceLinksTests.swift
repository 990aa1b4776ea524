import Foundation
import TakeupDigest
import TakeupFiles
import TestSupport
import Testing

@testable import TakeupWatch

/// Whoever may write into a watched folder gets nothing done outside of it.
@Suite("Source actions and links")
struct SourceLinksTests {
    /// A watched folder, and one beside it that is nobody's business.
    private final class Bench {
        let directory: TemporaryDirectory
        var root: String { directory.file("in") }

        init(_ paths: [String]) throws {
            directory = try TemporaryDirectory()
            for path in ["secret/b/clip.mp4", "secret/b/clip.en.srt", "in/free.mp4"] + paths {
                try directory.write(Data(path.utf8), to: path)
            }
            try directory.write(Data("output".utf8), to: "out.mp4")
        }

        var actions: SourceActions {
            SourceActions(
                doneFolder: "\(root)/done", failedFolder: "\(root)/failed",
                trash: Trash(home: directory.file("data/Trash"), user: 7) { 0 },
                note: { action in Array("why \(action.job)".utf8) },
                holdsSame: { _, _ in true })
        }

        var finished: FinishedOutput {
            FinishedOutput(
                path: directory.file("out.mp4"), bytes: 6,
                sha256: SHA256Digest.of("output"))
        }

        /// What is to be done with a path, as if the file there were the one that was encoded.
        func action(_ kind: SourceAction.Kind, _ path: String) throws -> SourceAction {
            let file = open("\(root)/\(path)", O_RDONLY)
            defer { close(file) }
            let known = WatchedFile(
                folder: root, path: path,
                identity: try #require(FileIdentity(descriptor: file)), fingerprint: "c", work: "w")
            return SourceAction(of: known, job: "watch-1", kind: kind)
        }

        /// The files below a folder.
        func files(_ folder: String) -> [String] {
            let path = directory.file(folder)
            let all = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
            return all.filter { name in
                var facts = stat()
                return lstat("\(path)/\(name)", &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
            }.sorted()
        }

        /// Whether nothing outside has come, gone or changed.
        var isUntouched: Bool {
            files("secret") == ["b/clip.en.srt", "b/clip.mp4"]
                && FileManager.default.contents(atPath: directory.file("secret/b/clip.mp4"))
                    == Data("secret/b/clip.mp4".utf8)
        }
    }

    @Test(
        "a folder that became a link leads to nothing that could go",
        arguments: SourceAction.Kind.allCases, ["/b", ""])
    func source(kind: SourceAction.Kind, below: String) throws {
        let bench = try Bench([])
        let place = bench.directory.file(below.isEmpty ? "secret/b" : "secret")
        #expect(symlink(place, "\(bench.root)/a") == 0)
        let action = try bench.action(kind, "a\(below)/clip.mp4")
        #expect(throws: WatchError.failed(path: "\(bench.root)/a\(below)", errno: ELOOP)) {
            try bench.actions.perform(action, output: bench.finished)
        }
        #expect(bench.isUntouched)
        // Nor is what was held behind a link removed after a kill.
        let held = bench.directory.file("secret/b/\(SourceFile.heldName(job: action.job))")
        #expect(rename(bench.directory.file("secret/b/clip.mp4"), held) == 0)
        #expect(throws: WatchError.self) {
            try bench.actions.perform(action, output: bench.finished)
        }
        #expect(access(held, F_OK) == 0)
    }

    @Test(
        "sources go into no folder that is a link, nor into one behind it",
        arguments: [SourceAction.Kind.move, .setAside], ["", "/a"])
    func target(kind: SourceAction.Kind, below: String) throws {
        let bench = try Bench(["in/a/clip.mp4", "in/a/clip.en.srt"])
        let folder = "\(bench.root)/\(kind == .move ? "done" : "failed")"
        if !below.isEmpty { #expect(mkdir(folder, 0o755) == 0) }
        #expect(symlink(bench.directory.file("secret"), "\(folder)\(below)") == 0)
        #expect(throws: WatchError.failed(path: "\(folder)\(below)", errno: ELOOP)) {
            try bench.actions.perform(try bench.action(kind, "a/clip.mp4"))
        }
        #expect(bench.isUntouched)
        #expect(bench.files("in") == ["a/clip.en.srt", "a/clip.mp4", "free.mp4"])
    }

    @Test("a folder for what is done elsewhere may be reached over links, but none below it")
    func elsewhere() throws {
        let bench = try Bench(["in/a/clip.mp4", "real/x"])
        let done = bench.directory.file("done")
        #expect(symlink(bench.directory.file("real"), done) == 0)
        let actions = SourceActions(
            doneFolder: done, failedFolder: done, trash: Trash(home: done, user: 7) { 0 },
            note: { _ in [] }, holdsSame: { _, _ in true })
        let outcome = try actions.perform(try bench.action(.move, "free.mp4"))
        #expect(outcome == .done(at: "\(done)/free.mp4"))
        #expect(symlink(bench.directory.file("secret"), "\(done)/a") == 0)
        #expect(throws: WatchError.self) {
            try actions.perform(try bench.action(.move, "a/clip.mp4"))
        }
        #expect(bench.isUntouched && bench.files("real") == ["free.mp4", "x"])
    }

    @Test("a note takes nobody's name: neither a file's nor a link's")
    func note() throws {
        let bench = try Bench(["in/failed/free.mp4.json"])
        let link = "\(bench.root)/failed/free-1.mp4.json"
        #expect(symlink(bench.directory.file("secret/b/clip.mp4"), link) == 0)
        let place = "\(bench.root)/failed/free-2.mp4"
        let action = try bench.action(.setAside, "free.mp4")
        #expect(try bench.actions.perform(action) == .done(at: place))
        let note = FileManager.default.contents(atPath: "\(place).json")
        #expect(note == Data("why watch-1".utf8) && bench.isUntouched)
        let other = FileManager.default.contents(atPath: "\(bench.root)/failed/free.mp4.json")
        #expect(other == Data("in/failed/free.mp4.json".utf8))
    }

    @Test("another disk's trash is no link", .enabled(if: sharedIsDisk))
    func trash() throws {
        let bench = try Bench([])
        let user = UInt32.random(in: 1_000_000...UInt32.max)
        let (root, bin) = ("/dev/shm/takeup-test-\(UUID().uuidString)", "/dev/shm/.Trash-\(user)")
        defer { for path in [root, bin] { try? FileManager.default.removeItem(atPath: path) } }
        #expect(mkdir(root, 0o700) == 0 && symlink(bench.directory.file("secret"), bin) == 0)
        try Data("source".utf8).write(to: URL(fileURLWithPath: "\(root)/a.mp4"))
        let source = try #require(try SourceFile("a.mp4", in: root))
        let trash = Trash(home: "/proc/none", user: user) { 0 }
        #expect(throws: WatchError.failed(path: bin, errno: ELOOP)) {
            try trash.place(for: source, in: root)
        }
        #expect(bench.isUntouched)
    }

    private static var sharedIsDisk: Bool {
        var (inner, outer) = (stat(), stat())
        return access("/dev/shm", W_OK) == 0 && stat("/dev/shm", &inner) == 0
            && stat("/dev", &outer) == 0 && inner.st_dev != outer.st_dev
    }

    @Test(
        "a name that begins with a combining mark stays in its folder",
        arguments: SourceAction.Kind.allCases)
    func combiningMark(kind: SourceAction.Kind) throws {
        let name = "\u{301}x.mp4"
        let bench = try Bench(["in/a.d/\(name)"])
        let outcome = try bench.actions.perform(
            try bench.action(kind, "a.d/\(name)"), output: bench.finished)
        let places: [SourceAction.Kind: String] = [
            .move: "\(bench.root)/done/a.d/\(name)", .setAside: "\(bench.root)/failed/a.d/\(name)",
            .trash: bench.directory.file("data/Trash/files/\(name)"),
            .replace: "\(bench.root)/a.d/\(name)",
        ]
        #expect(outcome == .done(at: places[kind]))
        if let place = places[kind] { #expect(access(place, F_OK) == 0) }
        #expect(bench.files("in").contains("a.d/\(name)") == (kind == .replace))
    }
}

import Foundation
import TakeupDigest
import TakeupFiles
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Source actions")
struct SourceActionsTests {
    /// A watched folder with one source, and an output.
    private struct Bench: ~Copyable {
        let directory: TemporaryDirectory
        let actions: SourceActions
        let source: String
        let output: String

        init(_ path: String = "a/b/clip.mov") throws {
            let directory = try TemporaryDirectory()
            let source = directory.file("in/\(path)")
            let output = directory.file("out.mp4")
            try FileManager.default.createDirectory(
                atPath: Folder.containing(source), withIntermediateDirectories: true)
            try Data("source".utf8).write(to: URL(fileURLWithPath: source))
            try Data("output".utf8).write(to: URL(fileURLWithPath: output))
            actions = SourceActions(
                doneFolder: directory.file("done"),
                failedFolder: directory.file("failed"),
                trash: Trash(home: directory.file("data/Trash"), user: 7) { 1_000_000 },
                note: { action in Array("why \(action.job)".utf8) },
                holdsSame: { descriptor, _ in
                    var bytes = [UInt8](repeating: 0, count: 7)
                    return pread(descriptor, &bytes, 7, 0) == 6
                        && bytes.prefix(6) == ArraySlice("source".utf8)
                })
            (self.source, self.output) = (source, output)
            self.directory = directory
        }

        func action(_ kind: SourceAction.Kind) throws -> SourceAction {
            let file = try #require(try SourceFile(source)?.identity)
            let prefix = directory.file("in")
            let known = WatchedFile(
                folder: prefix, path: String(source.dropFirst(prefix.count + 1)), identity: file,
                fingerprint: "c", work: "w")
            return SourceAction(of: known, job: "watch-1", kind: kind)
        }

        /// Where an action keeps the source that it is about to remove.
        func held(_ action: SourceAction) -> String {
            "\(Folder.containing(source))/\(SourceFile.heldName(job: action.job))"
        }

        var finished: FinishedOutput {
            FinishedOutput(
                path: output, bytes: 6,
                sha256: SHA256Digest.of("output"))
        }

        func text(_ path: String) -> String? {
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Everything in the source's folder.
        var names: [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: Folder.containing(source)))?
                .sorted() ?? []
        }
    }

    @Test("a move keeps the place in the tree, and takes nobody's name")
    func move() throws {
        let bench = try Bench()
        let action = try bench.action(.move)
        let target = bench.directory.file("done/a/b/clip.mov")
        #expect(try bench.actions.perform(action) == .done(at: target))
        #expect(bench.text(target) == "source" && bench.names.isEmpty)
        // As behind a kill.
        #expect(try bench.actions.perform(action) == .done(at: target))
        try Data("source".utf8).write(to: URL(fileURLWithPath: bench.source))
        let second = bench.directory.file("done/a/b/clip-1.mov")
        #expect(try bench.actions.perform(try bench.action(.move)) == .done(at: second))
    }

    @Test(
        "a source that is another one by now is left alone",
        arguments: SourceAction.Kind.allCases)
    func changed(kind: SourceAction.Kind) throws {
        let bench = try Bench("clip.mp4")
        let action = try bench.action(kind)
        try Data("another".utf8).write(to: URL(fileURLWithPath: bench.source))
        #expect(try bench.actions.perform(action, output: bench.finished) == .changed)
        #expect(bench.text(bench.source) == "another" && bench.names == ["clip.mp4"])
        try FileManager.default.removeItem(atPath: bench.source)
        #expect(try bench.actions.perform(action, output: bench.finished) == .gone)
    }

    @Test(
        "one whose rights or times alone have changed is still the one",
        arguments: SourceAction.Kind.allCases)
    func touched(kind: SourceAction.Kind) throws {
        let bench = try Bench()
        let action = try bench.action(kind)
        #expect(chmod(bench.source, 0o640) == 0 && utimes(bench.source, nil) == 0)
        guard case .done = try bench.actions.perform(action, output: bench.finished) else {
            Issue.record("not done")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: bench.source))
    }

    @Test("a symbolic link in the source's place is refused and not followed")
    func link() throws {
        let bench = try Bench()
        let action = try bench.action(.delete)
        let real = bench.directory.file("real.mov")
        #expect(rename(bench.source, real) == 0 && symlink(real, bench.source) == 0)
        #expect(throws: WatchError.failed(path: bench.source, errno: ELOOP)) {
            try bench.actions.perform(action)
        }
        #expect(bench.text(real) == "source")
    }

    @Test("a delete removes the name alone: another link keeps the content")
    func delete() throws {
        let bench = try Bench()
        let other = bench.directory.file("other.mov")
        #expect(Foundation.link(bench.source, other) == 0)
        #expect(try bench.actions.perform(try bench.action(.delete)) == .done(at: nil))
        #expect(bench.names.isEmpty && bench.text(other) == "source")
    }

    @Test(
        "a replacement is a file of its own, with the source's rights and time",
        arguments: [
            "clip.mp4", "clip.mov", "clip", "CLIP.MP4",
        ])
    func replace(name: String) throws {
        let bench = try Bench(name)
        let other = bench.directory.file("other")
        #expect(Foundation.link(bench.source, other) == 0)
        var times = [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 2000, tv_usec: 0)]
        #expect(chmod(bench.source, 0o604) == 0 && utimes(bench.source, &times) == 0)
        let stays = name.lowercased().hasSuffix(".mp4")
        let target = stays ? bench.source : "\(bench.directory.file("in"))/clip.mp4"
        let outcome = try bench.actions.perform(try bench.action(.replace), output: bench.finished)
        #expect(outcome == .done(at: target))
        #expect(bench.text(target) == "output" && bench.names.count == 1)
        #expect(bench.text(other) == "source" && bench.text(bench.output) == "output")
        var facts = stat()
        #expect(stat(target, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o604 && facts.st_mtim.tv_sec == 2000)
    }

    @Test(
        "a removal that was killed is ended by the next try",
        arguments: [
            SourceAction.Kind.delete, .replace,
        ])
    func killedRemoval(kind: SourceAction.Kind) throws {
        let bench = try Bench()
        let action = try bench.action(kind)
        let held = bench.held(action)
        #expect(rename(bench.source, held) == 0)
        #expect(try bench.actions.perform(action, output: bench.finished) == .done(at: nil))
        #expect(bench.names.isEmpty)
    }

    @Test("a replacement that was killed before or behind the exchange is ended by the next try")
    func killedExchange() throws {
        let bench = try Bench("clip.mp4")
        let action = try bench.action(.replace)
        let held = bench.held(action)
        let other = bench.directory.file("other")
        #expect(Foundation.link(bench.source, other) == 0)
        try Data("outp".utf8).write(to: URL(fileURLWithPath: held))
        let done = SourceOutcome.done(at: bench.source)
        #expect(try bench.actions.perform(action, output: bench.finished) == done)
        #expect(bench.text(bench.source) == "output" && bench.names == ["clip.mp4"])
        #expect(rename(other, held) == 0)
        #expect(try bench.actions.perform(action, output: bench.finished) == done)
        #expect(bench.text(bench.source) == "output" && bench.names == ["clip.mp4"])
    }

    @Test("a file of the same hidden name that is not ours stays")
    func foreignHeld() throws {
        let bench = try Bench()
        let action = try bench.action(.delete)
        let held = bench.held(action)
        #expect(rename(bench.source, bench.directory.file("x")) == 0)
        try Data("precious".utf8).write(to: URL(fileURLWithPath: held))
        #expect(try bench.actions.perform(action) == .gone)
        #expect(bench.text(held) == "precious")
    }

    @Test("what is thrown away can be put back: the trash knows where it lay")
    func trash() throws {
        let bench = try Bench("a b/100% ü.mov")
        let home = bench.directory.file("data/Trash")
        let target = "\(home)/files/100% ü.mov"
        #expect(try bench.actions.perform(try bench.action(.trash)) == .done(at: target))
        #expect(bench.text(target) == "source")
        let note = bench.text("\(home)/info/100% ü.mov.trashinfo") ?? ""
        let lines = note.split(separator: "\n")
        #expect(lines.first == "[Trash Info]" && lines.count == 3)
        #expect(lines[1] == "Path=\(bench.directory.file("in"))/a%20b/100%25%20%C3%BC.mov")
        #expect(lines[2].hasPrefix("DeletionDate=1970-01-1"))
    }

    @Test("a held source is cleared though another file has its name by now")
    func heldBesideAnother() throws {
        let bench = try Bench()
        let action = try bench.action(.delete)
        #expect(rename(bench.source, bench.held(action)) == 0)
        try Data("another".utf8).write(to: URL(fileURLWithPath: bench.source))
        #expect(try bench.actions.perform(action) == .done(at: nil))
        #expect(bench.text(bench.source) == "another" && bench.names == ["clip.mov"])
    }

    @Test("a source stays where its output is another file by now, or gone")
    func lostOutput() throws {
        let bench = try Bench("clip.mp4")
        let action = try bench.action(.replace)
        try Data("0utput".utf8).write(to: URL(fileURLWithPath: bench.output))
        #expect(throws: WatchError.self) { try bench.finished.require() }
        #expect(throws: WatchError.self) {
            try bench.actions.perform(action, output: bench.finished)
        }
        #expect(bench.text(bench.source) == "source" && bench.names == ["clip.mp4"])
        #expect(unlink(bench.output) == 0)
        #expect(throws: WatchError.self) { try bench.finished.require() }
    }

    @Test("what failed is set aside with a note, beside what is there already, subtitles with it")
    func setAside() throws {
        let bench = try Bench()
        for name in ["clip.en.srt", "clip.wav", "other.srt"] {
            try bench.directory.write(Data(name.utf8), to: "in/a/b/\(name)")
        }
        let failed = bench.directory.file("failed/a/b/clip.mov")
        try FileManager.default.createDirectory(
            atPath: Folder.containing(failed), withIntermediateDirectories: true)
        try bench.directory.write(Data("older".utf8), to: "failed/a/b/clip.mov")
        // A kill after the note has left it without its file.
        let second = bench.directory.file("failed/a/b/clip-1.mov")
        try Data("before watch-1".utf8).write(to: URL(fileURLWithPath: "\(second).json"))
        let action = try bench.action(.setAside)
        #expect(try bench.actions.perform(action) == .done(at: second))
        #expect(bench.text(second) == "source" && bench.text("\(second).json") == "why watch-1")
        #expect(bench.text(failed) == "older" && bench.text("\(failed).json") == nil)
        #expect(bench.names == ["clip.wav", "other.srt"])
        #expect(bench.text(bench.directory.file("failed/a/b/clip.en.srt")) == "clip.en.srt")
        #expect(try bench.actions.perform(action) == .done(at: second))
        #expect(bench.text("\(second).json") == "why watch-1")
        #expect(rename(bench.directory.file("failed"), bench.directory.file("elsewhere")) == 0)
        #expect(try bench.actions.perform(action) == .gone)
        #expect(access(bench.directory.file("failed"), F_OK) != 0)
    }

    @Test("another disk takes a copy before the source goes", .enabled(if: otherDiskIsThere))
    func otherDisk() throws {
        let bench = try Bench()
        let shared = "/dev/shm/takeup-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: shared) }
        #expect(mkdir(shared, 0o700) == 0)
        let actions = SourceActions(
            doneFolder: shared, failedFolder: shared, trash: Trash(home: shared, user: 7) { 0 },
            note: { _ in [] }, holdsSame: { _, _ in false })
        let target = "\(shared)/a/b/clip.mov"
        #expect(try actions.perform(try bench.action(.move)) == .done(at: target))
        #expect(bench.text(target) == "source" && bench.names.isEmpty)
    }

    private static var otherDiskIsThere: Bool {
        var (here, there) = (stat(), stat())
        return stat(NSTemporaryDirectory(), &here) == 0 && stat("/dev/shm", &there) == 0
            && here.st_dev != there.st_dev && access("/dev/shm", W_OK) == 0
    }
}

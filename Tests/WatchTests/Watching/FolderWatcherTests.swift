import Foundation
import TakeupFiles
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Folder watcher")
struct FolderWatcherTests {
    private static let modes: [WatchMode.Setting] = [.events, .polling]

    private func paths(_ bench: WatchBench) -> [String] { bench.handed.withLock { $0 } }

    @Test("hands over each file once, as soon as it has stood still", arguments: modes)
    func once(mode: WatchMode.Setting) throws {
        let bench = try WatchBench { $0.mode = mode }
        try bench.pass(1)
        try bench.write("a.mov", "one")
        try bench.write("b/c/d.mov", "two")
        try bench.write(".hidden.mov", "no")
        try bench.pass(9)
        #expect(paths(bench).isEmpty)
        try bench.pass(mode == .events ? 4 : 14)
        #expect(paths(bench).sorted() == ["a.mov", "b/c/d.mov"])
        try bench.pass(1000)
        try bench.restart()
        try bench.pass(1000)
        #expect(paths(bench).count == 2)
        #expect(
            try bench.ledger.handed(in: bench.folder).map(\.path).sorted() == [
                "a.mov", "b/c/d.mov",
            ])
    }

    @Test("takes no file that is still being written", arguments: modes)
    func growing(mode: WatchMode.Setting) throws {
        let bench = try WatchBench { $0.mode = mode }
        try bench.write("a.mov", "0")
        for _ in 0..<20 {
            try bench.pass(6)
            try bench.append("a.mov", "x")
        }
        #expect(paths(bench).isEmpty)
        try bench.pass(40)
        #expect(paths(bench) == ["a.mov"])
    }

    @Test("waits for whoever has it open for writing, however long it stands still")
    func held() throws {
        let bench = try WatchBench()
        bench.controls.writers.withLock { $0 = nil }
        try bench.write("a.mov", "half")
        let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(bench.folder)/a.mov"))
        try bench.pass(500)
        #expect(paths(bench).isEmpty)
        try writer.close()
        // Another test's child may hold a copy for some real time yet.
        bench.controls.writers.withLock { $0 = Writers.none }
        try bench.pass(3)
        #expect(paths(bench) == ["a.mov"])
    }

    @Test("a rename, a touch and a copy back make no job", arguments: modes)
    func renamed(mode: WatchMode.Setting) throws {
        let bench = try WatchBench { $0.mode = mode }
        try bench.write("a.mov", "one")
        try bench.pass(30)
        #expect(paths(bench) == ["a.mov"])
        try bench.move("a.mov", to: "b.mov")
        try bench.pass(100)
        #expect(utimes("\(bench.folder)/b.mov", nil) == 0)
        try bench.pass(100)
        let known = try bench.ledger.files(in: bench.folder)
        #expect(known.map(\.path) == ["b.mov"])
        try FileManager.default.removeItem(atPath: "\(bench.folder)/b.mov")
        try bench.pass(100)
        #expect(try bench.ledger.files(in: bench.folder).isEmpty)
        try bench.write("b.mov", "one")
        try bench.pass(100)
        try FileManager.default.removeItem(atPath: "\(bench.folder)/b.mov")
        try bench.write("sub/c.mov", "one")
        try bench.pass(200)
        #expect(paths(bench) == ["a.mov"])
        #expect(try bench.ledger.files(in: bench.folder).map(\.path) == ["sub/c.mov"])
    }

    @Test("names that are the same to people are two files")
    func normalForms() throws {
        let bench = try WatchBench()
        try bench.write("\u{e9}.mov", "one")
        try bench.write("e\u{301}.mov", "two")
        try bench.pass(60)
        #expect(paths(bench).count == 2)
        #expect(try bench.ledger.files(in: bench.folder).count == 2)
    }

    @Test("an output that took its source's place is never a source, whatever is wished later")
    func ownOutputs() throws {
        let bench = try WatchBench()
        let other = FileIdentity(
            device: 0, inode: 0, bytes: 0, modifiedNanoseconds: 0, changedNanoseconds: 0)
        var output = WatchedFile(
            folder: bench.folder, path: ".takeup-j.output", identity: other, fingerprint: "out",
            work: WatchedFile.ownOutput)
        (output.state, output.job) = (.done, "j")
        try bench.ledger.record(output)
        try bench.write("a.mp4", "out")
        try bench.pass(60)
        bench.wish.withLock { $0 = { _ in .work("another") } }
        try bench.restart()
        try bench.pass(60)
        #expect(paths(bench).isEmpty)
        #expect(try bench.ledger.files(in: bench.folder).map(\.path) == ["a.mp4"])
    }

    @Test("other content is a new file, once")
    func changedContent() throws {
        let bench = try WatchBench()
        try bench.write("a.mov", "one")
        try bench.pass(30)
        // Of another length: only virtual time has passed, and both may lie in one tick of the disk's clock.
        try bench.write("a.mov", "two!")
        try bench.pass(200)
        #expect(paths(bench) == ["a.mov", "a.mov"])
    }

    @Test("another preset after a restart makes files new, by policy", arguments: [true, false])
    func changedWork(exports: Bool) throws {
        let bench = try WatchBench { $0.onWorkChange = exports ? .export : .ignore }
        try bench.write("a.mov", "one")
        try bench.pass(30)
        bench.wish.withLock { $0 = { _ in .work("other") } }
        try bench.pass(100)
        #expect(paths(bench) == ["a.mov"])
        try bench.restart()
        try bench.pass(200)
        #expect(paths(bench) == (exports ? ["a.mov", "a.mov"] : ["a.mov"]))
        try bench.restart()
        try bench.pass(200)
        #expect(paths(bench).count == (exports ? 2 : 1))
    }

    @Test("what a rule skips is skipped until the rule changes")
    func skipped() throws {
        let bench = try WatchBench()
        bench.wish.withLock { $0 = { _ in .skip("too short") } }
        try bench.write("a.mov", "one")
        try bench.pass(100)
        #expect(paths(bench).isEmpty)
        #expect(try bench.ledger.file("a.mov", in: bench.folder)?.reason == "too short")
        bench.wish.withLock { $0 = { _ in .work("w") } }
        try bench.restart()
        try bench.pass(100)
        #expect(paths(bench) == ["a.mov"])
    }

    @Test("a folder that is away has lost nothing, and is taken up again when it is back")
    func away() throws {
        let bench = try WatchBench()
        try bench.write("a.mov", "one")
        try bench.pass(30)
        let elsewhere = bench.directory.own.file("elsewhere")
        try FileManager.default.moveItem(atPath: bench.folder, toPath: elsewhere)
        try bench.pass(100)
        #expect(try bench.ledger.files(in: bench.folder).map(\.path) == ["a.mov"])
        let reasons = bench.notes.withLock { notes in
            notes.filter { if case .unavailable = $0 { true } else { false } }.count
        }
        #expect(reasons == 1)
        try FileManager.default.moveItem(atPath: elsewhere, toPath: bench.folder)
        try bench.write("b.mov", "two")
        try bench.pass(30)
        #expect(bench.notes.withLock { $0.contains(.available) })
        #expect(paths(bench) == ["a.mov", "b.mov"])
    }

    @Test("a queue that takes nothing is asked again, and the file is not lost")
    func refused() throws {
        let bench = try WatchBench()
        bench.refusal.withLock { $0 = .failed(path: "queue", errno: ENOSPC) }
        try bench.write("a.mov", "one")
        try bench.pass(100)
        #expect(try bench.ledger.files(in: bench.folder).isEmpty)
        #expect(bench.watcher.obstacles.map(\.reason) == ["queue: No space left on device"])
        bench.refusal.withLock { $0 = .failed(path: "a.mov", errno: EACCES) }
        try bench.pass(FolderWatcher.postponedSeconds)
        #expect(bench.watcher.obstacles.map(\.reason) == ["Permission denied"])
        bench.refusal.withLock { $0 = nil }
        try bench.pass(FolderWatcher.postponedSeconds)
        #expect(paths(bench) == ["a.mov"])
    }

    @Test("an empty file waits, and a marker is waited for")
    func markers() throws {
        let bench = try WatchBench { $0.marker = .beside(suffix: ".done") }
        try bench.write("empty.mov", "")
        try bench.write("a.mov", "one")
        try bench.pass(100)
        #expect(paths(bench).isEmpty)
        try bench.write("a.mov.done", "")
        try bench.pass(30)
        #expect(paths(bench) == ["a.mov"])
    }

    @Test(
        "a film waits for its sound and subtitles, and what goes with nothing keeps nobody waiting")
    func sideCars() throws {
        let bench = try WatchBench()
        try bench.write("sub/a.mov", "one")
        try bench.write("sub/a.en.srt", "1")
        try bench.write("sub/b.en.srt", "1")
        for _ in 0..<6 {
            try bench.pass(5)
            try bench.append("sub/a.en.srt", "x")
            try bench.append("sub/b.en.srt", "x")
        }
        #expect(paths(bench).isEmpty)
        try bench.pass(30)
        #expect(paths(bench) == ["sub/a.mov"])
        try bench.write("sub/c.mov", "two")
        try bench.write("sub/c.srt", "")
        try bench.pass(40)
        #expect(paths(bench) == ["sub/a.mov"])
        try bench.pass(FolderWatcher.gapSeconds)
        #expect(paths(bench) == ["sub/a.mov", "sub/c.mov"])
    }

    @Test("what is to be made of known files is asked again when somebody says so")
    func reconsidered() throws {
        let bench = try WatchBench()
        try bench.write("a.mov", "one")
        try bench.pass(30)
        bench.wish.withLock { $0 = { _ in .work("other") } }
        try bench.pass(100)
        #expect(paths(bench) == ["a.mov"])
        bench.controls.hasChanged.withLock { $0 = true }
        try bench.pass(100)
        #expect(paths(bench) == ["a.mov", "a.mov"])
    }

    @Test(
        "where writers cannot be known, a container that is not complete is waited for, not for ever"
    )
    func gaps() throws {
        let bench = try WatchBench()
        let gap = WatchDelegate.Examination(FileFacts(path: ""), gap: "its index is missing")
        bench.controls.examination.withLock { $0 = gap }
        try bench.write("a.mov", "one")
        try bench.pass(30)
        #expect(paths(bench) == ["a.mov"])
        bench.controls.writers.withLock { $0 = .unknown }
        try bench.write("b.mov", "two")
        try bench.write("c.mov", "three")
        try bench.pass(60)
        #expect(paths(bench).count == 1)
        try bench.append("c.mov", "x")
        try bench.pass(FolderWatcher.gapSeconds - 20)
        #expect(paths(bench) == ["a.mov", "b.mov"])
        bench.controls.examination.withLock { $0 = WatchDelegate.Examination(FileFacts(path: "")) }
        try bench.pass(100)
        #expect(paths(bench) == ["a.mov", "b.mov", "c.mov"])
    }

    @Test("what is found in a file is kept with it")
    func facts() throws {
        let bench = try WatchBench()
        var facts = FileFacts(path: "a.mov")
        (facts.seconds, facts.languages) = (1.5, ["eng"])
        bench.controls.examination.withLock { $0 = .init(facts) }
        try bench.write("a.mov", "one")
        try bench.pass(30)
        #expect(try bench.ledger.file("a.mov", in: bench.folder)?.facts == facts)
        bench.watcher.lookAgain(at: "a.mov")
        try bench.pass(30)
        #expect(paths(bench) == ["a.mov"])
    }
}

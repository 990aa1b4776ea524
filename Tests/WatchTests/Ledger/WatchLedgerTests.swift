import TakeupFiles
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Watch ledger")
struct WatchLedgerTests {
    @Test("gives back what was recorded, hostile names too, after it is opened again")
    func roundTrip() throws {
        let bench = try LedgerBench()
        let names = [
            "a.mov", "-x.mov", "new\nline.mov", "it's \"q\" 🎬.mov", "b/c/d.mov", "%_?.mov",
        ]
        for (number, name) in names.enumerated() {
            try bench.ledger.record(LedgerBench.file(name, Int64(number), job: "j\(number)"))
        }
        var skipped = LedgerBench.file("sample.mov", 99, job: nil)
        skipped.reason = "a rule skips it"
        try bench.ledger.record(skipped)
        let again = try bench.reopened()
        #expect(try again.files(in: "/in").map(\.path) == (names + ["sample.mov"]).sorted())
        #expect(
            try again.file("new\nline.mov", in: "/in")
                == LedgerBench.file("new\nline.mov", 2, job: "j2"))
        #expect(try again.file("sample.mov", in: "/in") == skipped)
        #expect(try again.file("a.mov", in: "/other") == nil)
        #expect(try again.handed(in: "/in").count == names.count)
    }

    @Test("a name that is gone is no file any more; its content stays known for a while")
    func gone() throws {
        let bench = try LedgerBench()
        var done = LedgerBench.file("a.mov", job: "j1")
        done.state = .done
        try bench.ledger.record(done)
        try bench.ledger.record(LedgerBench.file("b.mov", 2, content: "c2", job: "j2"))
        bench.wait(10)
        try bench.ledger.markGone(["a.mov", "b.mov", "never.mov"], in: "/in")
        #expect(try bench.ledger.files(in: "/in").isEmpty)
        #expect(try bench.ledger.files(holding: "c1", in: "/in") == [done])
        bench.wait(100)
        #expect(try bench.ledger.prune(goneForSeconds: 101) == 0)
        // What a job works on has to be ended first.
        #expect(try bench.ledger.prune(goneForSeconds: 99) == 1)
        #expect(try bench.ledger.files(holding: "c1", in: "/in").isEmpty)
        #expect(try bench.ledger.handed(in: "/in").map(\.path) == ["b.mov"])
        try bench.ledger.record(done)
        #expect(try bench.ledger.file("a.mov", in: "/in") == done)
    }

    @Test("a rename keeps what became of the file, and replaces what had the name")
    func moves() throws {
        let bench = try LedgerBench()
        try bench.ledger.record(LedgerBench.file("a.mov", 1, content: "c1", job: "j1"))
        try bench.ledger.record(LedgerBench.file("b.mov", 2, content: "c2", job: "j2"))
        let known = try #require(try bench.ledger.file("a.mov", in: "/in"))
        try bench.ledger.move(known, to: "b.mov", identity: LedgerBench.identity(1, bytes: 11))
        #expect(try bench.ledger.file("a.mov", in: "/in") == nil)
        let moved = try #require(try bench.ledger.file("b.mov", in: "/in"))
        #expect(moved.job == "j1" && moved.identity == LedgerBench.identity(1, bytes: 11))
        #expect(try bench.ledger.files(holding: "c2", in: "/in").isEmpty)
    }

    @Test("an end and its action are one step, and only of the job that was handed")
    func ends() throws {
        let bench = try LedgerBench()
        let handed = LedgerBench.file("a.mov")
        try bench.ledger.record(handed)
        let action = SourceAction(of: handed, job: "j1", kind: .move)
        var other = handed
        other.job = "j0"
        #expect(try !bench.ledger.end(other, as: .done, then: action))
        #expect(try bench.ledger.dueActions(in: "/in", limit: 9).isEmpty)
        #expect(try bench.ledger.end(handed, as: .done, then: action))
        #expect(try bench.ledger.file("a.mov", in: "/in")?.state == .done)
        #expect(try bench.ledger.dueActions(in: "/in", limit: 9) == [action])
        #expect(try !bench.ledger.end(handed, as: .failed, reason: "late"))
        #expect(try bench.ledger.file("a.mov", in: "/in")?.state == .done)
    }

    @Test("a failed action waits for its time with its reason, and goes when it is done")
    func actions() throws {
        let bench = try LedgerBench()
        for (number, kind) in SourceAction.Kind.allCases.enumerated() {
            let handed = LedgerBench.file("\(kind).mov", Int64(number), job: "j\(number)")
            try bench.ledger.record(handed)
            let action = SourceAction(of: handed, job: "j\(number)", kind: kind)
            #expect(try bench.ledger.end(handed, as: .done, then: action))
            bench.wait(1)
        }
        #expect(
            try bench.ledger.dueActions(in: "/in", limit: 9).map(\.kind)
                == SourceAction.Kind.allCases)
        let first = try #require(try bench.ledger.dueActions(in: "/in", limit: 1).first)
        try bench.ledger.postpone(first, because: "Read-only file system", bySeconds: 60)
        #expect(
            try bench.ledger.dueActions(in: "/in", limit: 9).count == SourceAction.Kind.allCases
                .count - 1)
        let again = try bench.reopened()
        bench.wait(59)
        #expect(
            try again.dueActions(in: "/in", limit: 9).count == SourceAction.Kind.allCases.count - 1)
        bench.wait(1)
        let late = try #require(try again.dueActions(in: "/in", limit: 9).last)
        #expect(late.tries == 1 && late.reason == "Read-only file system")
        #expect(late.identity == first.identity && late.job == first.job)
        try again.finish(late)
        #expect(try bench.ledger.actions(in: "/in").count == SourceAction.Kind.allCases.count - 1)
    }

    @Test("remembers what a folder was")
    func memory() throws {
        let bench = try LedgerBench()
        #expect(try bench.ledger.memory(of: "/in") == nil)
        try bench.ledger.remember("{}", of: "/in")
        try bench.ledger.remember(#"{"device":3}"#, of: "/in")
        #expect(try bench.reopened().memory(of: "/in") == #"{"device":3}"#)
    }

    @Test("lives beside the queue's tables, and refuses a later version's")
    func neighbours() throws {
        let bench = try LedgerBench()
        let connection = try SQLiteConnection(
            path: bench.directory.file("state.db"), durability: .normal)
        #expect(
            try connection.query("SELECT owner FROM migration") { $0.text(0) } == ["watch"])
        try connection.run("UPDATE migration SET version = 99")
        #expect(throws: WatchError.self) { try bench.reopened() }
    }

    @Test("what is asked for again is answered once, and facts and their count stay")
    func again() throws {
        let bench = try LedgerBench()
        var known = LedgerBench.file("a.mov")
        known.facts = FileFacts(path: "a.mov")
        known.facts?.videoCodec = "h264"
        try bench.ledger.record(known)
        try bench.ledger.askAgain("a.mov", in: known.folder)
        try bench.ledger.askAgain("gone.mov", in: known.folder)
        let later = try bench.reopened()
        #expect(try later.askedAgain(in: known.folder) == ["a.mov", "gone.mov"])
        known.again = 1
        try later.answerAgain("a.mov", in: known.folder, with: known)
        try later.answerAgain("gone.mov", in: known.folder, with: nil)
        #expect(try later.askedAgain(in: known.folder).isEmpty)
        #expect(try later.files(in: known.folder) == [known])
        #expect(try later.folders().isEmpty)
        try later.remember("{}", of: known.folder)
        #expect(try later.folders() == [known.folder])
    }

    @Test(
        "what is to be done with a source that has gone waits until it is found under another name")
    func parked() throws {
        let bench = try LedgerBench()
        let known = LedgerBench.file("a.mov")
        try bench.ledger.record(known)
        let action = SourceAction(of: known, job: "j1", kind: .move)
        #expect(try bench.ledger.end(known, as: .done, then: action))
        try bench.ledger.park(action)
        #expect(try bench.ledger.dueActions(in: "/in", limit: 9).isEmpty)
        #expect(try bench.ledger.actions(in: "/in").isEmpty)
        let done = try #require(try bench.ledger.file("a.mov", in: "/in"))
        try bench.ledger.move(done, to: "b.mov", identity: LedgerBench.identity(1))
        let found = try #require(try bench.ledger.dueActions(in: "/in", limit: 9).first)
        #expect(found.path == "b.mov" && found.kind == .move && found.job == "j1")
        try bench.ledger.park(found)
        // Nor does the folder's own disk have to stay away.
        try bench.ledger.wakeActions(in: "/in")
        #expect(try bench.ledger.dueActions(in: "/in", limit: 9).first == found)
        try bench.ledger.park(found)
        try bench.ledger.markGone(["b.mov"], in: "/in")
        try bench.ledger.wakeActions(in: "/in")
        #expect(try bench.ledger.dueActions(in: "/in", limit: 9).isEmpty)
        bench.wait(100)
        #expect(try bench.ledger.prune(goneForSeconds: 99) == 1)
        try bench.ledger.move(found.file, to: "c.mov", identity: LedgerBench.identity(1))
        #expect(try bench.ledger.dueActions(in: "/in", limit: 9).isEmpty)
    }

    @Test("sketches hold what tells a change, and outputs' folders are remembered")
    func sketches() throws {
        let bench = try LedgerBench()
        var known = LedgerBench.file("a.mov")
        known.facts = FileFacts(path: "a.mov")
        try bench.ledger.record(known)
        try bench.ledger.record(LedgerBench.file("b.mov", 2))
        let found = try bench.ledger.sketches(in: "/in").sorted { $0.path < $1.path }
        #expect(found.map(\.hasFacts) == [true, false] && found.map(\.work) == ["w", "w"])
        #expect(found.map(\.identity) == [LedgerBench.identity(1), LedgerBench.identity(2)])
        let memory = RootMemory(device: 1, inode: 2, levelsBelowMount: 3)
        #expect(try bench.ledger.outputMemory(of: "/out") == nil)
        try bench.ledger.remember(output: memory, of: "/out")
        #expect(try bench.reopened().outputMemory(of: "/out") == memory)
    }
}

extension SourceAction {
    fileprivate var file: WatchedFile {
        WatchedFile(
            folder: folder, path: path, identity: identity, fingerprint: fingerprint, work: "w")
    }
}

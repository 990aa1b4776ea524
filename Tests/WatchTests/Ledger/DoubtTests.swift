import TakeupFiles
import Testing

@testable import TakeupWatch

@Suite("Doubt about outputs")
struct DoubtTests {
    private func bench() throws -> LedgerBench {
        let bench = try LedgerBench()
        for (number, name) in ["a.mov", "b.mov", "c.mov", "d.mov"].enumerated() {
            let inode = Int64(number)
            try bench.ledger.record(LedgerBench.file(name, inode, job: "j\(number)"))
        }
        try bench.ledger.record(LedgerBench.file("e.mov", 9, job: "j9", folder: "/other"))
        // One is done, of another the source waits.
        let done = LedgerBench.file("c.mov", 2, job: "j2")
        #expect(try bench.ledger.end(done, as: .done))
        let waiting = LedgerBench.file("d.mov", 3, job: "j3")
        let action = SourceAction(of: waiting, job: "j3", kind: .move)
        #expect(try bench.ledger.end(waiting, as: .done, then: action))
        return bench
    }

    @Test("is of all that was not over when the disk was away, and of nothing later")
    func away() throws {
        let bench = try bench()
        #expect(try bench.ledger.doubtful(in: "/in").isEmpty)
        try bench.ledger.doubt(in: "/in")
        let doubtful = ["j0": true, "j1": true, "j3": true]
        #expect(try bench.reopened().doubtful(in: "/in") == doubtful)
        for name in ["a.mov", "b.mov"] { try bench.ledger.forget(LedgerBench.file(name)) }
        try bench.ledger.record(LedgerBench.file("f.mov", 5, job: "j5"))
        #expect(try bench.ledger.doubtful(in: "/in") == doubtful)
        try bench.ledger.doubt(in: "/in")
        #expect(try bench.ledger.doubtful(in: "/in") == ["j3": true, "j5": true])
        #expect(try bench.ledger.doubtful(in: "/other").isEmpty)
    }

    @Test("comes with a kill too, less sure, and not with an end")
    func kill() throws {
        let bench = try bench()
        try bench.ledger.begin("/in")
        try bench.ledger.finish("/in")
        try bench.ledger.begin("/in")
        #expect(try bench.ledger.doubtful(in: "/in").isEmpty)
        try bench.reopened().begin("/in")
        #expect(try bench.ledger.doubtful(in: "/in") == ["j0": false, "j1": false, "j3": false])
        try bench.ledger.doubt(in: "/in")
        try bench.ledger.begin("/in")
        #expect(try bench.ledger.doubtful(in: "/in") == ["j0": true, "j1": true, "j3": true])
    }
}

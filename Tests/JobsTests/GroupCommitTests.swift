import Dispatch
import Glibc
import TakeupLanes
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@testable import TakeupJobs

@Suite("Group commit")
final class GroupCommitTests {
    private let directory: TemporaryDirectory
    private let writes: GroupCommit
    private let reader: SQLiteConnection

    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.file("a.db")
        reader = try SQLiteConnection(path: path, durability: .full)
        try reader.execute("CREATE TABLE number (value INTEGER PRIMARY KEY)")
        writes = GroupCommit(try SQLiteConnection(path: path, durability: .full))
    }

    private func numbers() throws -> [Int64] {
        try reader.query("SELECT value FROM number ORDER BY value") { $0.integer(0) }
    }

    @Test("every write of many lanes is there when it returns, and each gets its own answer")
    func manyLanes() throws {
        let wrong = Locked<[String]>([])
        let group = LaneGroup()
        for lane in 0..<8 {
            group.start("lane \(lane)") { [writes] in
                for step in 0..<50 {
                    let number = Int64(lane * 50 + step)
                    do {
                        let found = try writes.write(step.isMultiple(of: 2) ? .full : .normal) {
                            (connection) throws(SQLError) in
                            try connection.query(
                                "INSERT INTO number VALUES (?1) RETURNING value", [.integer(number)]
                            ) { $0.integer(0) }
                        }
                        if found != [number] { wrong.withLock { $0.append("\(found)") } }
                    } catch {
                        wrong.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        group.wait()
        #expect(wrong.withLock { $0 } == [])
        #expect(try numbers() == (0..<400).map(Int64.init))
    }

    @Test(
        "a look never waits for a commit, and the writes that come during a look go together after it"
    )
    func looks() throws {
        func count() throws -> Int64? {
            try writes.look { (connection) throws(SQLError) in
                try connection.query("SELECT count(*) FROM number") { $0.integer(0) }[0]
            }
        }
        #expect(try count() == nil, "nothing was written before")
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let group = LaneGroup()
        group.start("writer") { [writes] in
            _ = try? writes.write(.full) { (connection) throws(SQLError) in
                try connection.run("INSERT INTO number VALUES (1)")
                begun.signal()
                goOn.wait()
            }
        }
        begun.wait()
        #expect(try count() == nil, "somebody writes")
        goOn.signal()
        group.wait()
        #expect(try count() == 1)
        let lanes = LaneGroup()
        let seen = try writes.look { (connection) throws(SQLError) in
            for lane in 2...4 {
                lanes.start("lane \(lane)") { [writes] in
                    _ = try? writes.write(.full) { (connection) throws(SQLError) in
                        try connection.run(
                            "INSERT INTO number VALUES (?1)", [.integer(Int64(lane))])
                    }
                }
            }
            usleep(50_000)
            return try connection.query("SELECT count(*) FROM number") { $0.integer(0) }[0]
        }
        lanes.wait()
        #expect(seen == 1)
        #expect(try numbers() == [1, 2, 3, 4])
    }

    @Test("a write that fails takes no other one with it")
    func oneFails() throws {
        _ = try writes.write(.full) { (connection) throws(SQLError) in
            try connection.run("INSERT INTO number VALUES (0)")
        }
        let failures = Locked(0)
        let group = LaneGroup()
        for lane in 1...8 {
            group.start("lane \(lane)") { [writes] in
                // Every other one writes what is there, after something that must go again.
                let numbers = lane.isMultiple(of: 2) ? [lane * 10, 0] : [lane]
                do throws(SQLError) {
                    try writes.write(.full) { (connection) throws(SQLError) in
                        for number in numbers {
                            try connection.run(
                                "INSERT INTO number VALUES (?1)", [.integer(Int64(number))])
                        }
                    }
                } catch {
                    failures.withLock { $0 += error.isConstraint ? 1 : 100 }
                }
            }
        }
        group.wait()
        #expect(failures.withLock { $0 } == 4)
        #expect(try numbers() == [0, 1, 3, 5, 7])
    }

    @Test("what waits for a commit shares the next one, and runs again alone when one of it fails")
    func shared() throws {
        var runs: [Int] = []
        // A lane that comes late misses the commit of the others; then it is tried again.
        for round in 0..<200 where runs != [2, 2] { runs = try runsBesideFailure(round) }
        #expect(runs == [2, 2])
    }

    private static func error(_ kind: SQLError.Kind) -> SQLError {
        SQLError(.step, kind, code: "test", message: "no", database: "")
    }

    @Test("a commit that was not confirmed is asked after, also where it holds locks still")
    func unconfirmed() throws {
        let errors = Locked([
            Self.error(.unreachable).withUnknownOutcome, Self.error(.busy),
            Self.error(.unreachable),
        ])
        try writes.write(.full) { (connection) throws(SQLError) in
            if let error = errors.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
            try connection.run("INSERT INTO number VALUES (1)")
        }
        #expect(try numbers() == [1])
    }

    @Test(
        "what fails after a commit that was not confirmed leaves its outcome unknown",
        arguments: [SQLError.Kind.diskFull, .constraint])
    func unconfirmedAndFailed(kind: SQLError.Kind) throws {
        let errors = Locked([Self.error(.unreachable).withUnknownOutcome, Self.error(kind)])
        let error = #expect(throws: SQLError.self) {
            try writes.write(.full) { (_) throws(SQLError) in
                throw errors.withLock { $0.removeFirst() }
            }
        }
        #expect(error?.kind == kind && error?.isOutcomeUnknown == true)
    }

    /// Two good writes and a bad one come while another one is being committed.
    ///
    /// - Returns: How often each good one ran.
    private func runsBesideFailure(_ round: Int) throws -> [Int] {
        let (started, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let runs = Locked([0, 0])
        let good = [round * 10 + 1, round * 10 + 2]
        let group = LaneGroup()
        group.start("first") { [writes] in
            _ = try? writes.write(.normal) { (_) throws(SQLError) in
                started.signal()
                goOn.wait()
            }
        }
        started.wait()
        for (index, number) in good.enumerated() {
            group.start("good") { [writes] in
                _ = try? writes.write(.full) { (connection) throws(SQLError) in
                    runs.withLock { $0[index] += 1 }
                    try connection.run(
                        "INSERT INTO number VALUES (?1)", [.integer(Int64(number))])
                }
            }
        }
        group.start("bad") { [writes] in
            _ = try? writes.write(.full) { (connection) throws(SQLError) in
                try connection.run("INSERT INTO number VALUES (NULL), (1.5)")
            }
        }
        usleep(5_000)
        goOn.signal()
        group.wait()
        #expect(try numbers().suffix(2) == good.map(Int64.init))
        return runs.withLock { $0 }
    }
}

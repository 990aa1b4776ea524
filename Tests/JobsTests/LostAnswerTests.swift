import Foundation
import TakeupLanes
import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

@testable import TakeupJobs

/// A server that has carried out a commit, and whose answer nobody gets.
@Suite("Lost answers")
struct LostAnswerTests {
    private let proxy: PostgresProxy
    private let store: SQLJobStore
    private let observer: any SQLConnection

    init() throws {
        let server = try PostgresServer.shared.get()
        let name = "lost_\(UInt32.random(in: 0...UInt32.max))"
        let direct = try #require(PostgresDatabase(address: server.address(schema: name)))
        observer = try direct.connect(.full)
        try observer.execute("CREATE SCHEMA \(name)")
        proxy = try PostgresProxy(folder: "/tmp/takeup-\(name)", to: server)
        store = try SQLJobStore(
            try #require(PostgresDatabase(address: proxy.address(schema: name))))
    }

    private func claim() throws -> Lease? {
        try store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30)?.0
    }

    private func number(_ sql: String) throws -> Int64? {
        try observer.query(sql) { $0.integer(0) }.first
    }

    @Test("a job is accepted once, and said to be", arguments: 1...3)
    func submits(cuts: Int) throws {
        proxy.cutAnswers(ofCommits: cuts)
        #expect(try store.submit([StoreTrial.spec("a")]) == [.accepted])
        #expect(proxy.cutsLeft == 0)
        #expect(try number("SELECT count(*) FROM job WHERE state = 'queued'") == 1)
    }

    @Test("a claim is found again, and takes no second job", arguments: 1...3)
    func claims(cuts: Int) throws {
        _ = try store.submit([StoreTrial.spec("a"), StoreTrial.spec("b")])
        proxy.cutAnswers(ofCommits: cuts)
        let lease = try #require(try claim())
        #expect(proxy.cutsLeft == 0)
        #expect(lease.job.rawValue == "a")
        #expect(try number("SELECT count(*) FROM job WHERE state = 'running'") == 1)
        #expect(try number("SELECT token FROM job WHERE id = 'a'") == lease.token)
        #expect(try store.finish(lease, .succeeded(StoreTrial.result)) == .succeeded)
    }

    @Test("a claim whose job somebody has locked is asked after again with the next one")
    func lockedClaim() throws {
        _ = try store.submit(["a", "b", "c"].map { StoreTrial.spec($0) })
        let lease = try #require(try claim())
        store.unsettled.noteClaim(lease.token, of: lease.worker)
        try observer.execute("BEGIN; SELECT FROM job WHERE id = 'a' FOR UPDATE")
        #expect(try claim()?.job.rawValue == "b")
        try observer.execute("COMMIT")
        #expect(try claim() == lease)
        #expect(try claim()?.job.rawValue == "c")
    }

    @Test("a claim is found again by one lane alone, of all that ask at the same time")
    func oneLane() throws {
        _ = try store.submit([StoreTrial.spec("a")])
        let lease = try #require(try claim())
        store.unsettled.noteClaim(lease.token, of: lease.worker)
        let found = Locked<[Lease]>([])
        let lanes = LaneGroup()
        for number in 0..<8 {
            lanes.start("takeup.test.\(number)") { [store] in
                let claimed = try? store.claim(by: lease.worker, leaseSeconds: 30)?.0
                found.withLock { $0 += [claimed].compactMap(\.self) }
            }
        }
        lanes.wait()
        #expect(found.withLock { $0 } == [lease])
    }

    @Test("an end is found out, and a failure counts once", arguments: 1...3)
    func ends(cuts: Int) throws {
        _ = try store.submit([StoreTrial.spec("a"), StoreTrial.spec("b")])
        let (good, bad) = (try #require(try claim()), try #require(try claim()))
        proxy.cutAnswers(ofCommits: cuts)
        #expect(try store.finish(good, .succeeded(StoreTrial.result)) == .succeeded)
        proxy.cutAnswers(ofCommits: cuts)
        #expect(try store.finish(bad, .failed(StoreTrial.fault, retryable: true)) == .scheduled)
        #expect(proxy.cutsLeft == 0)
        #expect(try number("SELECT failures FROM job WHERE id = 'b'") == 1)
        // Somebody who has lost the lease is told so, as ever.
        #expect(try store.finish(good, .succeeded(StoreTrial.result)) == nil)
    }

    @Test("an end that nobody answers is not taken for the end of a lease that was lost")
    func rescued() throws {
        _ = try store.submit([StoreTrial.spec("a")])
        let lease = try #require(try claim())
        #expect(try store.rescue(deadWorkers: [lease.worker]).map(\.lease) == [lease])
        proxy.cutAnswers(ofCommits: 1)
        #expect(try store.finish(lease, .succeeded(StoreTrial.result)) == nil)
        #expect(try number("SELECT count(*) FROM job WHERE state = 'queued'") == 1)
    }
}

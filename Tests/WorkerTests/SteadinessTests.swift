import TakeupJobs
import Testing

@testable import TakeupWorker

@Suite("Steadiness")
struct SteadinessTests {
    private let start = ContinuousClock.now

    private func instant(_ seconds: Double) -> ContinuousClock.Instant {
        start + .seconds(seconds)
    }

    @Test("leases are judged by the clock once the process has run for a while")
    func begin() {
        var steadiness = Steadiness(leaseSeconds: 4)
        #expect(!steadiness.judges(at: start))
        let isUnknown = steadiness.look(wall: 1000, at: start)
        #expect(isUnknown)
        #expect(!steadiness.judges(at: instant(1.9)))
        for look in 1...20 {
            let passed = Double(look) / 2
            let hasJumped = steadiness.look(wall: 1000 + passed, at: instant(passed))
            #expect(!hasJumped)
        }
        #expect(steadiness.judges(at: instant(10)))
    }

    @Test(
        "not after a pause or a jump of the clock",
        arguments: [(60.0, 60.0), (0.5, 3600), (0.5, -3600), (0.5, 2)])
    func jumps(passed: Double, onTheWall: Double) {
        var steadiness = Steadiness(leaseSeconds: 4)
        _ = steadiness.look(wall: 1000, at: start)
        _ = steadiness.look(wall: 1001, at: instant(1))
        #expect(steadiness.judges(at: instant(2)))
        let hasJumped = steadiness.look(wall: 1001 + onTheWall, at: instant(1 + passed))
        #expect(hasJumped == (passed != onTheWall))
        #expect(!steadiness.judges(at: instant(1 + passed)))
        #expect(steadiness.judges(at: instant(3 + passed)))
    }

    @Test(
        "a worker that was paused keeps its lease where the renewal is taken, and asks before it publishes"
    )
    func pausedHold() {
        let lease = Lease(
            job: JobID(rawValue: "a"), token: 1, worker: WorkerID(rawValue: "w"))
        let long = start - .seconds(60)
        let kept = LeaseHold(lease, attempt: 1, leaseSeconds: 30, claimedAt: long)
        #expect(kept.stop == nil && !kept.mayPublish(at: start))
        kept.take(.kept, sentAt: start)
        #expect(kept.mayPublish(at: start) && kept.awaitPublishing())
        let taken = LeaseHold(lease, attempt: 1, leaseSeconds: 30, claimedAt: long)
        taken.take(.lost, sentAt: start)
        #expect(taken.stop == .leaseLost && !taken.awaitPublishing())
        let cutOff = LeaseHold(lease, attempt: 1, leaseSeconds: 30, claimedAt: long)
        cutOff.miss(at: long + .seconds(29))
        #expect(cutOff.stop == nil)
        cutOff.miss(at: long + .seconds(30))
        #expect(cutOff.stop == .leaseLost)
    }

    @Test("a lock on the job ends a lease that is too old only when it is met twice in a row")
    func lockedHold() {
        let lease = Lease(job: JobID(rawValue: "a"), token: 1, worker: WorkerID(rawValue: "w"))
        let hold = LeaseHold(lease, attempt: 1, leaseSeconds: 30, claimedAt: start)
        hold.take(.locked, sentAt: instant(60))
        #expect(hold.stop == nil && !hold.mayPublish(at: instant(60)))
        hold.take(.kept, sentAt: instant(61))
        for second in stride(from: 62.0, to: 91, by: 1) {
            hold.take(.locked, sentAt: instant(second))
        }
        #expect(hold.stop == nil)
        hold.take(.locked, sentAt: instant(91))
        #expect(hold.stop == .leaseLost)
    }

    @Test("work is stopped once its time is over, but not while it is being finished")
    func timeout() {
        let lease = Lease(job: JobID(rawValue: "a"), token: 1, worker: WorkerID(rawValue: "w"))
        let hold = LeaseHold(
            lease, attempt: 1, leaseSeconds: 30, claimedAt: start, timeoutSeconds: 5)
        hold.checkTime(at: instant(4.9))
        #expect(hold.stop == nil)
        hold.checkTime(at: instant(5))
        #expect(hold.stop == .timedOut)
        let ending = LeaseHold(
            lease, attempt: 1, leaseSeconds: 30, claimedAt: start, timeoutSeconds: 5)
        ending.beginEnding()
        ending.checkTime(at: instant(5))
        #expect(ending.stop == nil)
    }
}

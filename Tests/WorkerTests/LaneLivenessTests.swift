import TakeupJobs
import TakeupLanes
import Testing

@testable import TakeupWorker

@Suite("LaneLiveness")
struct LaneLivenessTests {
    private final class Clock: Sendable {
        private let start = SuspendingClock.now
        private let seconds = Locked(0.0)

        func set(_ value: Double) { seconds.withLock { $0 = value } }
        func now() -> SuspendingClock.Instant { start + .seconds(seconds.withLock { $0 }) }
    }

    private let hold = LeaseHold(
        Lease(job: JobID(rawValue: "a"), token: 1, worker: WorkerID(rawValue: "w")), attempt: 1,
        leaseSeconds: 60, claimedAt: .now)

    @Test("one lane that does not come around is enough")
    func stuck() {
        let clock = Clock()
        let pulse = LaneLiveness(now: { clock.now() })
        pulse.begin(lanes: 2)
        #expect(!pulse.hasLooked && !pulse.isAlive(withinSeconds: 10))
        pulse.look(0)
        #expect(!pulse.hasLooked)
        pulse.look(1)
        #expect(pulse.hasLooked && pulse.isAlive(withinSeconds: 10))
        clock.set(11)
        pulse.look(0)
        #expect(!pulse.isAlive(withinSeconds: 10))
        pulse.look(1)
        #expect(pulse.isAlive(withinSeconds: 10))
    }

    @Test(
        "a lane with a job lives as long as leases are renewed; one that has ended cannot be stuck")
    func working() {
        let clock = Clock()
        let pulse = LaneLiveness(now: { clock.now() })
        pulse.begin(lanes: 2)
        pulse.work(0, hold)
        pulse.end(1)
        clock.set(1000)
        #expect(!pulse.isAlive(withinSeconds: 10))
        pulse.beat()
        #expect(pulse.isAlive(withinSeconds: 10) && pulse.hasLooked)
        hold.ask(.cancelled)
        #expect(pulse.isAlive(withinSeconds: 10))
        #expect((hold.secondsSinceStop ?? -1) >= 0)
    }

    @Test("a lane that waits for the database lives as long as leases are renewed")
    func asking() {
        let clock = Clock()
        let pulse = LaneLiveness(now: { clock.now() })
        pulse.begin(lanes: 1)
        pulse.ask(0)
        clock.set(1000)
        #expect(!pulse.isAlive(withinSeconds: 10))
        pulse.beat()
        #expect(pulse.isAlive(withinSeconds: 10) && pulse.hasLooked)
        #expect(!hold.isAsking)
        let isAsking = hold.asking { hold.isAsking }
        #expect(isAsking && !hold.isAsking)
        hold.beginEnding()
        #expect(hold.isAsking)
    }
}

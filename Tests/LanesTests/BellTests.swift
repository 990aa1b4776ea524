import TakeupLanes
import Testing

@Suite("Bell")
struct BellTests {
    @Test("a ring that comes first ends one wait, and no more")
    func rings() {
        let bell = Bell()
        bell.ring()
        bell.ring()
        #expect(bell.wait(seconds: 60) && bell.wait(seconds: 0))
        #expect(!bell.wait(seconds: 0) && !bell.wait(seconds: -1))
    }

    @Test("without a ring, a wait takes the time that it was given")
    func time() {
        let began = ContinuousClock.now
        #expect(!Bell().wait(seconds: 0.05))
        #expect(!Bell().wait(until: began + .milliseconds(80)))
        #expect(ContinuousClock.now - began >= .milliseconds(80))
    }

    @Test("a ring ends a wait on another thread", arguments: [60, .infinity])
    func wake(seconds: Double) {
        let (bell, group) = (Bell(), LaneGroup())
        let hasRung = Locked(false)
        group.start("waits") {
            let rang = bell.wait(seconds: seconds)
            hasRung.withLock { $0 = rang }
        }
        bell.ring()
        group.wait()
        #expect(hasRung.withLock { $0 })
    }
}

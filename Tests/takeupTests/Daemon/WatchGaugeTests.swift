@testable import TakeupIngest
import Testing

@testable import TakeupDaemon
@testable import takeup

@Suite("WatchGauge")
struct WatchGaugeTests {
    @Test("a folder is armed once its first scan goes on, or it is known not to be there")
    func armed() {
        let gauge = WatchGauge(folder: "/in", output: nil, now: 0)
        #expect(!gauge.isArmed(now: 1))
        gauge.step(now: 1, WatchFigures(isAvailable: true))
        #expect(!gauge.isArmed(now: 2))
        gauge.step(now: 2, WatchFigures(isAvailable: true, hasScanned: true))
        #expect(gauge.isArmed(now: 3))
        let missing = WatchGauge(folder: "/in", output: nil, now: 0)
        missing.step(now: 1, WatchFigures())
        #expect(missing.isArmed(now: 2))
        let large = WatchGauge(folder: "/in", output: nil, now: 0)
        large.beat(now: 1)
        #expect(large.isArmed(now: 1) && large.figures == nil)
    }

    @Test("one that hangs holds up a start for a minute, and ends nothing for an hour")
    func hung() {
        let gauge = WatchGauge(folder: "/in", output: nil, now: 100)
        #expect(!gauge.isArmed(now: 159) && gauge.isArmed(now: 160))
        #expect(gauge.isAlive(now: 3700) && !gauge.isAlive(now: 3701))
    }

    @Test("a lane may be silent for ten minutes, four times its longest silence, or an hour")
    func alive() {
        let gauge = WatchGauge(folder: "/in", output: nil, now: 0)
        gauge.step(now: 0, WatchFigures())
        #expect(gauge.isAlive(now: 600) && !gauge.isAlive(now: 601))
        gauge.step(now: 400, WatchFigures())
        #expect(gauge.isAlive(now: 2000) && !gauge.isAlive(now: 2001))
        gauge.step(now: 5000, WatchFigures())
        #expect(gauge.isAlive(now: 8600) && !gauge.isAlive(now: 8601))
        // Between two rounds.
        gauge.end()
        #expect(gauge.isAlive(now: 1_000_000))
    }

    @Test("a step that takes hours is alive as long as it goes on, and no silence for that")
    func beats() {
        let gauge = WatchGauge(folder: "/in", output: nil, now: 0)
        for time in stride(from: 0.0, through: 20_000, by: 100) {
            #expect(gauge.isAlive(now: time))
            gauge.beat(now: time)
        }
        gauge.step(now: 20_000, WatchFigures())
        #expect(gauge.isAlive(now: 20_600) && !gauge.isAlive(now: 20_601))
    }

    @Test("figures are looked at once a second")
    func pace() {
        let gauge = WatchGauge(folder: "/in", output: nil, now: 0)
        for step in 0..<10 { gauge.step(now: Double(step) / 4, WatchFigures(waiting: step)) }
        #expect(gauge.figures?.waiting == 8)
    }
}

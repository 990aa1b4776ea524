import Testing

@testable import takeup

@Suite("WatchGauge")
struct WatchGaugeTests {
    @Test("a folder is armed once it was looked through, or is known not to be there")
    func armed() {
        let gauge = WatchGauge(folder: "/in", output: nil, now: 0)
        #expect(!gauge.isArmed)
        gauge.step(now: 1, WatchFigures(isAvailable: true))
        #expect(!gauge.isArmed)
        gauge.step(now: 2, WatchFigures(isAvailable: true, hasScanned: true))
        #expect(gauge.isArmed)
        let missing = WatchGauge(folder: "/in", output: nil, now: 0)
        missing.step(now: 1, WatchFigures())
        #expect(missing.isArmed)
    }

    @Test("a lane may be silent for ten minutes, four times its longest silence, or an hour")
    func alive() {
        let gauge = WatchGauge(folder: "/in", output: nil, now: 0)
        #expect(gauge.isAlive(now: 600) && !gauge.isAlive(now: 601))
        gauge.step(now: 400, WatchFigures())
        #expect(gauge.isAlive(now: 2000) && !gauge.isAlive(now: 2001))
        gauge.step(now: 5000, WatchFigures())
        #expect(gauge.isAlive(now: 8600) && !gauge.isAlive(now: 8601))
    }

    @Test("figures are looked at once a second")
    func pace() {
        let gauge = WatchGauge(folder: "/in", output: nil, now: 0)
        for step in 0..<10 { gauge.step(now: Double(step) / 4, WatchFigures(waiting: step)) }
        #expect(gauge.figures?.waiting == 8)
    }
}

import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("FrameRateRegulator")
struct FrameRateRegulatorTests {
    /// Feeds pictures that each last up to the next.
    private func feed(_ regulator: inout FrameRateRegulator, _ times: [Int64]) -> [Int64] {
        zip(times, times.dropFirst()).flatMap { regulator.times(from: $0, to: $1) }
    }

    @Test("without a rate every picture stays where it is")
    func kept() {
        var regulator = FrameRateRegulator(PlanFixture.timing())
        #expect(feed(&regulator, [0, 7, 9, 400, 401]) == [0, 7, 9, 400])
        #expect(regulator.dropped == 0 && regulator.repeated == 0)
    }

    @Test("a constant rate is kept to the tick, over any source")
    func constant() {
        let rate = Ratio(30_000, 1001)
        var regulator = FrameRateRegulator(
            PlanFixture.timing(timescale: 30_000, constant: rate))
        // 25 pictures a second for four seconds.
        let times = feed(&regulator, (0...100).map { $0 * 1200 })
        #expect(times == (0..<Int64(times.count)).map { $0 * 1001 })
        #expect(times.count == 120)
        #expect(regulator.repeated == 20 && regulator.dropped == 0)
    }

    @Test("the first picture of another part is shown, however near it is")
    func seams() {
        var regulator = FrameRateRegulator(
            PlanFixture.timing(timescale: 1000, most: 10), seams: [150, 400])
        #expect(
            feed(&regulator, [0, 50, 110, 150, 170, 260, 405, 420]) == [0, 110, 150, 260, 405])
        #expect(regulator.dropped == 2)
    }

    @Test("a slower constant rate drops")
    func slower() {
        var regulator = FrameRateRegulator(
            PlanFixture.timing(timescale: 60_000, constant: Ratio(25, 1)))
        let times = feed(&regulator, (0...60).map { $0 * 1000 })
        #expect(times == (0..<25).map { $0 * 2400 })
        #expect(regulator.dropped == 35 && regulator.repeated == 0)
    }

    @Test("a limit drops what comes sooner than it allows, and nothing else")
    func limit() {
        var regulator = FrameRateRegulator(PlanFixture.timing(timescale: 60_000, most: 30))
        let doubled = feed(&regulator, (0...60).map { $0 * 1000 })
        #expect(doubled == (0..<30).map { $0 * 2000 })
        #expect(regulator.dropped == 30)
        var slow = FrameRateRegulator(PlanFixture.timing(timescale: 60_000, most: 30))
        let uneven: [Int64] = [0, 2000, 3990, 6010, 8000, 60_000]
        #expect(feed(&slow, uneven) == [0, 2000, 3990, 6010, 8000])
    }
}

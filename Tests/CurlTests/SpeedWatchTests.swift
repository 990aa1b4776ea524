import Testing

@testable import TakeupCurl

@Suite("Speed watch")
struct SpeedWatchTests {
    /// The first moment, in tenths of a second, at which a body is too slow.
    private func firstTooSlow(
        _ bytesPerSecond: Int64 = 100, _ bytesAt: (Double) -> Int64
    ) -> Double? {
        var limits = TransferLimits()
        (limits.lowSpeedBytesPerSecond, limits.lowSpeedSeconds) = (bytesPerSecond, 10)
        var watch = SpeedWatch(limits)
        return (0...600).map { Double($0) / 10 }.first {
            watch.isTooSlow(bytes: bytesAt($0), at: $0)
        }
    }

    @Test("a body at its limit goes on")
    func atLimit() {
        #expect(firstTooSlow { Int64($0 * 100) + 100 } == nil)
    }

    @Test("a stall is seen after the time that is watched, also after much has come")
    func stall() throws {
        #expect(firstTooSlow { _ in 0 } == 10)
        let moment = try #require(firstTooSlow { $0 < 5 ? Int64($0 * 1e6) : 5_000_000 })
        #expect((14.5...16).contains(moment))
    }

    @Test("a trickle is too slow")
    func trickle() {
        #expect(firstTooSlow { Int64($0 * 99) } == 10)
    }

    @Test("a limit of nothing is none")
    func none() {
        #expect(firstTooSlow(0) { _ in 0 } == nil)
    }
}

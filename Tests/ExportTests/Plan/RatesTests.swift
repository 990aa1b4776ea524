import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("Timescale and AudioRates")
struct RatesTests {
    @Test(
        "every frame of an even rate lasts whole ticks",
        arguments: [
            (24, 1), (25, 1), (30, 1), (50, 1), (60, 1), (24_000, 1001), (30_000, 1001),
            (60_000, 1001), (15, 2), (120, 1), (12_800, 513), (1, 1),
        ] as [(Int64, Int64)])
    func rate(numerator: Int64, denominator: Int64) {
        let scale = Timescale.of(rate: Ratio(numerator, denominator))
        #expect((10_000...1_000_000).contains(scale))
        #expect((scale * denominator).isMultiple(of: numerator))
    }

    @Test("a source's own clock is kept when it is fine and sane")
    func timeBase() {
        #expect(Timescale.of(timeBase: Ratio(1, 90_000)) == 90_000)
        #expect(Timescale.of(timeBase: Ratio(1, 1000)) == 16_000)
        #expect(Timescale.of(timeBase: Ratio(1, 600)) == 19_200)
        #expect(Timescale.of(timeBase: Ratio(1, 1_000_000)) == 1_000_000)
        #expect(Timescale.of(timeBase: Ratio(1, 1_000_001)) == 90_000)
        #expect(Timescale.of(timeBase: Ratio(1001, 30_000)) == 90_000)
        #expect(Timescale.of(rate: Ratio(0, 1)) == 90_000)
    }

    @Test("several clocks meet in one, or in the clock of MPEG systems")
    func common() {
        #expect(Timescale.common([15_360, 12_800]) == 76_800)
        #expect(Timescale.common([24_000, 30_000]) == 120_000)
        #expect(Timescale.common([999_983, 999_979]) == 90_000)
        #expect(Timescale.common([.max, .max - 1]) == 90_000)
        #expect(Timescale.common([]) == 16_384)
    }

    @Test(
        "sound keeps its rate where AAC has it",
        arguments: [
            (48_000, 48_000, 48_000), (44_100, 48_000, 44_100), (32_000, 48_000, 32_000),
            (96_000, 48_000, 48_000), (192_000, 96_000, 96_000), (22_050, 48_000, 22_050),
            (8_000, 48_000, 24_000), (11_025, 48_000, 24_000), (8_000, 16_000, 16_000),
            (37_800, 48_000, 44_100), (44_056, 48_000, 44_100), (47_999, 48_000, 48_000),
            (50_000, 50_000, 48_000), (48_000, 7_000, 48_000),
        ])
    func audio(source: Int, limit: Int, expected: Int) {
        let rate = AudioRates.output(source: source, limit: limit)
        #expect(rate == expected && AudioRates.aac.contains(rate))
    }
}

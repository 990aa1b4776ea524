import Foundation
import TakeupTimeline
import Testing

@Suite("MediaTime")
struct MediaTimeTests {
    @Test("equal times are equal values, however they were made")
    func lowestTerms() {
        #expect(MediaTime(value: 2, timescale: 4) == MediaTime(value: 1, timescale: 2))
        #expect(MediaTime(value: 3, timescale: -6) == MediaTime(value: -1, timescale: 2))
        #expect(MediaTime(value: 0, timescale: 90_000) == .zero)
        #expect(Set([MediaTime(value: 30, timescale: 30), 1, MediaTime(seconds: 1.0)]).count == 1)
        let half = MediaTime(value: 45_000, timescale: 90_000)
        #expect(half.value == 1 && half.timescale == 2)
    }

    @Test("adds and subtracts without rounding")
    func arithmetic() {
        let frame = MediaTime(value: 1001, timescale: 30_000)
        var sum = MediaTime.zero
        for _ in 0..<30_000 { sum += frame }
        #expect(sum == MediaTime(seconds: Int64(1001)))
        #expect(sum - frame == MediaTime(value: 1001 * 29_999, timescale: 30_000))
        #expect(-frame + frame == .zero)
    }

    @Test("orders by length, not by numerator")
    func order() {
        #expect(MediaTime(value: 1, timescale: 3) < MediaTime(value: 1, timescale: 2))
        #expect(MediaTime(value: -1, timescale: 2) < MediaTime(value: -1, timescale: 3))
        #expect(MediaTime(value: .min, timescale: 1) < MediaTime(value: .max, timescale: 1))
        let close = MediaTime(value: .max - 1, timescale: .max)
        #expect(close < MediaTime(seconds: Int64(1)))
    }

    @Test("clamps what does not fit, and stays in lowest terms")
    func overflow() {
        let most = MediaTime(value: .max, timescale: 1)
        let least = MediaTime(value: .min, timescale: 1)
        #expect((most + most).seconds > 9e9)
        #expect((least + least).seconds < -9e9)
        #expect((-least).seconds > 9e9)
        // The exact sum's denominator does not fit: it is rounded, and equal to the round value.
        let tiny = MediaTime(value: 1, timescale: .max)
        #expect(MediaTime(seconds: Int64(5)) + tiny + MediaTime(value: 1, timescale: .max - 1) == 5)
    }

    @Test("rounds what does not fit to the nearest nanosecond")
    func nearestNanosecond() {
        // 2/3 s and a hair: 666,666,666.67 ns.
        let sum =
            MediaTime(value: 2, timescale: 3) + MediaTime(value: 1, timescale: .max)
            + MediaTime(value: 1, timescale: .max - 1)
        #expect(sum == MediaTime(value: 666_666_667, timescale: 1_000_000_000))
        #expect(-sum == MediaTime(value: -666_666_667, timescale: 1_000_000_000))
    }

    @Test(
        "rounds to the nearest tick, ties away from zero",
        arguments: [
            (MediaTime(value: 1, timescale: 3), 1, 90_000, 30_000),
            (MediaTime(value: 1, timescale: 2), 1, 1, 1),
            (MediaTime(value: -1, timescale: 2), 1, 1, -1),
            (MediaTime(value: 1, timescale: 3), 1, 1, 0),
            (MediaTime(value: 2, timescale: 3), 1, 1, 1),
            (MediaTime(value: 1001, timescale: 30_000), 1001, 30_000, 1),
            (MediaTime(value: .max, timescale: 1), 1, .max, .max),
            (MediaTime(value: .min, timescale: 1), 1, .max, .min),
        ] as [(MediaTime, Int64, Int64, Int64)])
    func ticks(time: MediaTime, numerator: Int64, denominator: Int64, expected: Int64) {
        #expect(time.ticks(of: numerator, over: denominator) == expected)
    }

    @Test("a number of seconds that is none becomes 0, one too large is clamped")
    func fromDouble() {
        #expect(MediaTime(seconds: Double.nan) == .zero)
        #expect(MediaTime(seconds: -Double.infinity) == .zero)
        #expect(MediaTime(seconds: 1e300).seconds == 9e12)
        #expect(MediaTime(seconds: 0.1) == MediaTime(value: 1, timescale: 10))
        #expect(MediaTime(seconds: 0.000_000_4) == .zero)
    }

    @Test("reads as seconds with three decimals")
    func description() {
        #expect("\(MediaTime(value: 25, timescale: 2))" == "12.500 s")
        #expect("\(MediaTime(value: -1, timescale: 1000))" == "-0.001 s")
        #expect("\(MediaTime(value: 59_999_9, timescale: 10_000))" == "60.000 s")
        #expect("\(MediaTime(value: .min, timescale: 1))" == "-9223372036854775.808 s")
    }

    @Test("is coded as an exact fraction")
    func coding() throws {
        let time = MediaTime(value: 1, timescale: 4)
        let json = try JSONEncoder().encode([time])
        #expect(String(decoding: json, as: UTF8.self) == "[\"1\\/4\"]")
        #expect(try JSONDecoder().decode([MediaTime].self, from: json) == [time])
    }

    @Test("a timescale of 0 is a mistake of the caller's")
    func zeroTimescale() async {
        await #expect(processExitsWith: .failure) { _ = MediaTime(value: 1, timescale: 0) }
    }
}

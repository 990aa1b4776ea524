package import TakeupTimeline

/// A frame's name in hours, minutes, seconds and frames: `01:02:03:04`, or `01:02:03;04` with dropped numbers.
///
/// - Note: Source: SMPTE ST 12-1; at 29.97 frames a second two numbers a minute are left out, but not in
///   each tenth minute, and at 59.94 four.
package struct Timecode: Equatable, CustomStringConvertible {
    /// Frames since 00:00:00:00.
    package private(set) var count: Int
    /// Whole frames that a second counts.
    private let base: Int
    private let dropsNumbers: Bool

    /// - Returns: nil unless the text is a timecode at this rate.
    package init?(_ text: String, rate: Ratio) {
        let base = Int(rate.doubleValue.rounded())
        let parts = text.split(omittingEmptySubsequences: false) { ":;.".contains($0) }
        let numbers = parts.compactMap { Int($0) }
        guard (1...240).contains(base), parts.count == 4, numbers.count == 4,
            numbers[0] >= 0, (0..<60).contains(numbers[1]), (0..<60).contains(numbers[2]),
            (0..<base).contains(numbers[3]), numbers[0] < 100
        else { return nil }
        self.base = base
        dropsNumbers = (text.contains(";") || text.contains(".")) && base % 30 == 0
        let minutes = numbers[0] * 60 + numbers[1]
        count = (minutes * 60 + numbers[2]) * base + numbers[3]
        if dropsNumbers { count -= base / 15 * (minutes - minutes / 10) }
    }

    /// The timecode so many frames later; after a day it starts again.
    package func advanced(byFrames frames: Int) -> Timecode {
        var later = self
        let day = dropsNumbers ? 144 * framesInTenMinutes : 24 * 3600 * base
        later.count = ((count + frames) % day + day) % day
        return later
    }

    package var description: String {
        var number = count
        if dropsNumbers {
            let dropped = base / 15
            let (tens, rest) = number.quotientAndRemainder(dividingBy: framesInTenMinutes)
            let minute = 60 * base - dropped
            number += 9 * dropped * tens
            if rest >= 60 * base { number += dropped * (1 + (rest - 60 * base) / minute) }
        }
        let seconds = number / base
        let fields = [seconds / 3600, seconds / 60 % 60, seconds % 60, number % base].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        return fields[0..<3].joined(separator: ":") + (dropsNumbers ? ";" : ":") + fields[3]
    }

    private var framesInTenMinutes: Int { 600 * base - 9 * (base / 15) }
}

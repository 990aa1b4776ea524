internal import TakeupTimeline

/// A rate of pictures or of samples, exact also where it was written with few decimals.
struct FrameRate: Equatable {
    let ratio: Ratio

    /// Takes a number from just above 0 to 1,000,000,000 a second.
    ///
    /// - Returns: nil for anything else. 23.976, 29.97 and their like become 24000/1001, 30000/1001 and so on.
    init?(_ rate: Double) {
        guard rate.isFinite, rate > 0.001, rate <= 1e9 else { return nil }
        let whole = rate.rounded()
        if abs(rate - whole) < 1e-6 {
            ratio = Ratio(Int64(whole), 1)
            return
        }
        let base = (rate * 1.001).rounded()
        let isOfVideo = [24, 30, 48, 60, 72, 90, 96, 120, 240].contains(base)
        if isOfVideo, abs(rate - base / 1.001) < 0.005 {
            ratio = Ratio(Int64(base) * 1000, 1001)
            return
        }
        guard let nearest = Ratio(nearest: rate) else { return nil }
        ratio = nearest
    }

    /// Takes a number such as `25` or `23.976`, or a fraction such as `30000/1001`.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let top = Int64(parts[0]), let bottom = Int64(parts[1]), top > 0,
            bottom > 0, top <= 1_000_000_000, bottom <= 1_000_000
        {
            let lowest = MediaTime(value: top, timescale: bottom)
            ratio = Ratio(lowest.value, lowest.timescale)
        } else if let rate = Double(text), let found = FrameRate(rate) {
            self = found
        } else {
            return nil
        }
    }

    /// How long so many pictures or samples last.
    func time(of count: MediaTime) -> MediaTime { count.shown(at: ratio) }

    func time(of frames: Int) -> MediaTime { time(of: MediaTime(seconds: Int64(frames))) }
}

extension Ratio {
    /// The simplest fraction that is the number to its 12th decimal, of a denominator up to a million.
    ///
    /// - Returns: nil for what is no number or too large.
    init?(nearest number: Double) {
        guard number.isFinite, abs(number) < 9e15 else { return nil }
        let isNegative = number < 0
        var (rest, low, high) = (abs(number), (top: 0.0, bottom: 1.0), (top: 1.0, bottom: 0.0))
        while true {
            let whole = rest.rounded(.down)
            let next = (top: whole * high.top + low.top, bottom: whole * high.bottom + low.bottom)
            guard next.bottom <= 1_000_000, next.top < 9e15 else { break }
            (low, high) = (high, next)
            let distance = abs(high.top / high.bottom - abs(number))
            guard distance > 1e-12 * max(1, abs(number)), rest - whole > 0 else { break }
            rest = 1 / (rest - whole)
        }
        guard high.bottom > 0 else { return nil }
        self.init(Int64(isNegative ? -high.top : high.top), Int64(high.bottom))
    }
}

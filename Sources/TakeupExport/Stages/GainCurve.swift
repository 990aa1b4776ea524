internal import TakeupModel
internal import TakeupTimeline

/// A volume for each sample; ramps begin and end at their nearest samples.
struct GainCurve: Equatable {
    private struct Ramp: Equatable {
        let start: Int64
        let end: Int64
        let from: Double
        let to: Double
    }

    private let level: Double
    private let ramps: [Ramp]

    init(_ volume: Volume, sampleRate: Int) {
        level = volume.level
        ramps = volume.ramps.map {
            Ramp(
                start: $0.start.ticks(of: 1, over: Int64(sampleRate)),
                end: $0.end.ticks(of: 1, over: Int64(sampleRate)), from: $0.from, to: $0.to)
        }
    }

    /// Returns the first ramp that ends after a sample, found by halves: there may be thousands.
    private func ramp(endingAfter sample: Int64) -> Int {
        var (low, high) = (0, ramps.count)
        while low < high {
            let middle = (low + high) / 2
            if ramps[middle].end > sample { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the factors of consecutive samples.
    func gains(from first: Int64, count: Int) -> [Float] {
        var next = ramp(endingAfter: first)
        return (0..<Int64(count)).map { offset in
            let sample = first + offset
            while next < ramps.count, ramps[next].end <= sample { next += 1 }
            if next < ramps.count, ramps[next].start <= sample {
                let ramp = ramps[next]
                let share = Double(sample - ramp.start) / Double(ramp.end - ramp.start)
                return Float(ramp.from + (ramp.to - ramp.from) * share)
            }
            return Float(next == 0 ? level : ramps[next - 1].to)
        }
    }

    /// Multiplies the factors of several curves, sample by sample.
    static func gains(of curves: [GainCurve], from first: Int64, count: Int) -> [Float] {
        var product = [Float](repeating: 1, count: count)
        for curve in curves {
            let factors = curve.gains(from: first, count: count)
            for place in product.indices { product[place] *= factors[place] }
        }
        return product
    }
}

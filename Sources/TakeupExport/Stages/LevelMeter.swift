internal import TakeupFFmpeg
internal import TakeupModel

/// Measures how loud a mixed track is over time, at its volume.
struct LevelMeter {
    private let curves: [GainCurve]
    private let sampleRate: Int64
    private var position: Int64 = 0
    /// The sum of squares of each channel's samples in the current window.
    private var sums: [Double]
    /// Root mean square of the loudest channel in each window.
    private(set) var levels: [Float] = []

    /// Begins with the track's first block; all volumes apply to it.
    init(_ volumes: [Volume], _ format: AudioFormat) {
        curves = volumes.map { GainCurve($0, sampleRate: format.sampleRate) }
        sampleRate = Int64(format.sampleRate)
        sums = Array(repeating: 0, count: format.layout.channels)
    }

    /// Sample at which a window begins.
    private func start(of window: Int) -> Int64 {
        Int64(window) * sampleRate / Ducking.windowsPerSecond
    }

    mutating func take(_ frame: borrowing Frame) {
        let gains = GainCurve.gains(of: curves, from: position, count: frame.sampleCount)
        var first = 0
        while first < frame.sampleCount {
            let end = start(of: levels.count + 1)
            let last = min(frame.sampleCount, first + Int(end - position))
            for (channel, sum) in frame.squares(of: first..<last, gains: gains).enumerated() {
                sums[channel] += sum
            }
            position += Int64(last - first)
            first = last
            if position == end { endWindow(Int(end - start(of: levels.count))) }
        }
    }

    private mutating func endWindow(_ count: Int) {
        levels.append(Float(((sums.max() ?? 0) / Double(count)).squareRoot()))
        for channel in sums.indices { sums[channel] = 0 }
    }
}

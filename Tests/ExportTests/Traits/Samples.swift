import Foundation
import TestSupport

/// The sound of a file as FFmpeg decodes it, mixed to one channel, with arithmetic on it.
struct Samples {
    let rate: Int
    let values: [Float]

    // Resampling to 48,000 keeps most files as they are.
    init(_ path: String, stream: Int = 0, rate: Int = 48_000) throws(ToolFailure) {
        let arguments = [
            "-nostdin", "-v", "error", "-i", path, "-map", "0:a:\(stream)", "-ac", "1",
            "-ar", "\(rate)", "-f", "f32le", "-",
        ]
        let bytes = try Subprocess.run("ffmpeg", arguments).requireSuccess().standardOutput
        self.rate = rate
        values = bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    var seconds: Double { Double(values.count) / Double(rate) }

    /// When the sound first exceeds a level at or after a time; nil when it never does.
    func onset(after seconds: Double = 0, above level: Float = 0.05) -> Double? {
        let start = min(values.count, Int(seconds * Double(rate)))
        return values[start...].firstIndex { abs($0) > level }.map { Double($0) / Double(rate) }
    }

    /// Root of the mean square between two times.
    func level(from start: Double, to end: Double) -> Double {
        let part = slice(start, end)
        guard !part.isEmpty else { return 0 }
        return (part.reduce(0.0) { $0 + Double($1 * $1) } / Double(part.count)).squareRoot()
    }

    /// The frequency of a tone between two times, in hertz, from its zero crossings.
    func pitch(from start: Double, to end: Double) -> Double {
        let part = Array(slice(start, end))
        var crossings: [Double] = []
        for index in part.indices.dropFirst() where part[index - 1] < 0 && part[index] >= 0 {
            let (before, after) = (Double(part[index - 1]), Double(part[index]))
            crossings.append(Double(index - 1) + before / (before - after))
        }
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) * Double(rate) / (last - first)
    }

    private func slice(_ start: Double, _ end: Double) -> ArraySlice<Float> {
        let first = max(0, min(values.count, Int(start * Double(rate))))
        let last = max(first, min(values.count, Int(end * Double(rate))))
        return values[first..<last]
    }
}

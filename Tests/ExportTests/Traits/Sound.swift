import Foundation
import TestSupport
import Testing

/// Decoded sound, a list of samples from -1 to 1 for each channel.
struct Sound {
    let channels: [[Double]]
    let sampleRate: Int

    /// Decodes one audio stream with `ffmpeg`, neither resampled nor mixed.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - stream: Its place among the audio streams.
    ///   - seconds: Where to begin; what lies before is decoded and left out.
    /// - Throws: `ToolFailure` when it cannot be decoded.
    init(_ path: String, stream: Int = 0, from seconds: Double = 0) throws {
        let probed = try MediaTools.probe(path).streams("audio")
        try #require(probed.indices.contains(stream))
        let count = try #require(probed[stream].channels)
        sampleRate = try #require(probed[stream].sampleRate)
        let input = ["-nostdin", "-v", "error", "-i", path, "-map", "0:a:\(stream)"]
        let cut = seconds > 0 ? ["-ss", "\(seconds)"] : []
        let outcome = try Subprocess.run(
            "ffmpeg", input + cut + ["-c:a", "pcm_f32le", "-f", "f32le", "-"], timeoutSeconds: 300)
        let bytes = try outcome.requireSuccess().standardOutput
        let flat = bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { index in
                let bits = raw.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
                return Double(Float(bitPattern: UInt32(littleEndian: bits)))
            }
        }
        channels = (0..<count).map { channel in
            stride(from: channel, to: flat.count, by: count).map { flat[$0] }
        }
    }

    /// The amplitude of a tone in a channel: one term of a Fourier sum, over the middle with a Hann window.
    func amplitude(of frequency: Double, in channel: Int) -> Double {
        let samples = middle(channel)
        var (real, imaginary, weight) = (0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(samples.count))
            let angle = 2 * .pi * frequency * Double(index) / Double(sampleRate)
            real += sample * window * cos(angle)
            imaginary += sample * window * sin(angle)
            weight += window
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / weight
    }

    /// The frequency of the one tone in a channel, by its rises through zero.
    func pitch(in channel: Int = 0) throws -> Double {
        let samples = middle(channel)
        var rises: [Double] = []
        for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0
        {
            let step = samples[index] - samples[index - 1]
            rises.append(Double(index) - samples[index] / step)
        }
        let first = try #require(rises.first), last = try #require(rises.last)
        try #require(rises.count > 10)
        return Double(rises.count - 1) * Double(sampleRate) / (last - first)
    }

    /// When the channel first exceeds a level, in seconds from its first sample.
    func onset(above level: Double, after seconds: Double = 0, in channel: Int = 0) throws -> Double
    {
        let index = try #require(channels[channel].firstIndex { abs($0) > level })
        return Double(index) / Double(sampleRate)
    }

    /// The largest sample of all.
    var peak: Double { channels.flatMap { $0 }.reduce(0) { max($0, abs($1)) } }

    private func middle(_ channel: Int) -> ArraySlice<Double>.SubSequence {
        let samples = channels[channel]
        let edge = samples.count / 5
        return ArraySlice(Array(samples[edge..<samples.count - edge]))
    }
}

/// A ratio of amplitudes in decibels.
func decibels(_ value: Double, over reference: Double) -> Double {
    20 * log10(max(value, 1e-9) / reference)
}

import Foundation
import TestSupport
import Testing

/// Decoded sound, a list of samples from -1 to 1 for each channel.
struct Sound {
    let channels: [[Float]]
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
        channels = bytes.withUnsafeBytes { raw in
            let samples = raw.bindMemory(to: Float.self)
            return (0..<count).map { channel in
                let length = samples.count / count
                return [Float](unsafeUninitializedCapacity: length) { target, filled in
                    for index in 0..<length { target[index] = samples[index * count + channel] }
                    filled = length
                }
            }
        }
    }

    /// The amplitude of a tone in a channel: one term of a Fourier sum over half a second from the middle.
    ///
    /// Whole periods of every multiple of 2 Hz: such tones do not leak into each other.
    func amplitude(of frequency: Double, in channel: Int) -> Double {
        let count = min(channels[channel].count, sampleRate / 2)
        return amplitude(
            of: frequency, in: channel, first: (channels[channel].count - count) / 2, count: count)
    }

    /// The same over 0.2 s that begin at a moment.
    func amplitude(of frequency: Double, in channel: Int, from seconds: Double) -> Double {
        amplitude(
            of: frequency, in: channel, first: Int(seconds * Double(sampleRate)),
            count: sampleRate / 5)
    }

    private func amplitude(
        of frequency: Double, in channel: Int, first: Int, count: Int
    ) -> Double {
        let samples = channels[channel]
        let step = 2 * Double.pi * frequency / Double(sampleRate)
        let (turnCosine, turnSine) = (cos(step), sin(step))
        var (cosine, sine, real, imaginary) = (1.0, 0.0, 0.0, 0.0)
        samples.withUnsafeBufferPointer { buffer in
            for index in first..<first + count {
                let sample = Double(buffer[index])
                real += sample * cosine
                imaginary += sample * sine
                (cosine, sine) = (
                    cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine
                )
            }
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(count)
    }

    /// The frequency of the one tone in a channel, by its rises through zero.
    func pitch(in channel: Int = 0) throws -> Double {
        let samples = channels[channel]
        let edge = samples.count / 5
        var rises: [Double] = []
        samples.withUnsafeBufferPointer { buffer in
            for index in edge + 1..<buffer.count - edge where buffer[index - 1] < 0 {
                guard buffer[index] >= 0 else { continue }
                let slope = Double(buffer[index] - buffer[index - 1])
                rises.append(Double(index) - Double(buffer[index]) / slope)
            }
        }
        let first = try #require(rises.first), last = try #require(rises.last)
        try #require(rises.count > 10)
        return Double(rises.count - 1) * Double(sampleRate) / (last - first)
    }

    /// When the channel first exceeds a level, in seconds from its first sample.
    func onset(above level: Double, after seconds: Double = 0, in channel: Int = 0) throws -> Double
    {
        let index = try #require(channels[channel].firstIndex { abs($0) > Float(level) })
        return Double(index) / Double(sampleRate)
    }

    /// The largest sample of all.
    var peak: Double { Double(channels.map { $0.reduce(0) { max($0, abs($1)) } }.max() ?? 0) }
}

/// A ratio of amplitudes in decibels.
func decibels(_ value: Double, over reference: Double) -> Double {
    20 * log10(max(value, 1e-9) / reference)
}

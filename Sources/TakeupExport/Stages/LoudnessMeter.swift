internal import Foundation
internal import TakeupFFmpeg
internal import TakeupModel

/// Measures loudness and true peaks of sound as EBU R128 does, with FFmpeg's `ebur128`.
///
/// Its memory does not grow with the sound.
final class LoudnessMeter {
    /// The filter attaches its results every 0.1 s; so much silence lets it tell the peaks of the last samples.
    private static let tailSeconds = 0.25
    /// Loudness at the absolute gate means that nothing was louder.
    ///
    /// - Note: Source: ITU-R BS.1770-4; FFmpeg starts with it.
    private static let gate = -70.0

    private let format: AudioFormat
    private let graph: FilterGraph
    private var position: Int64 = 0
    private var loudness: Double?
    private var peak = 0.0

    /// - Parameter format: Format of all blocks.
    /// - Throws: `FFmpegError` with `.buildFilter`.
    init(_ format: AudioFormat) throws(FFmpegError) {
        self.format = format
        graph = try FilterGraph(
            audio: format, timeBase: TimeBase(1, Int32(format.sampleRate)),
            chain: "ebur128=peak=true:metadata=1:framelog=verbose")
    }

    /// Measures a block, which is used up.
    func take(_ frame: borrowing Frame) throws(FFmpegError) {
        frame.ptsTicks = position
        position += Int64(frame.sampleCount)
        try graph.send(frame)
        try drain()
    }

    /// Ends the measurement.
    ///
    /// - Returns: The levels of all blocks together.
    func finish() throws(FFmpegError) -> SoundLevels {
        let found = loudness.flatMap { $0 > Self.gate ? $0 : nil }
        let tail = try Frame.silence(
            format, samples: Int(Self.tailSeconds * Double(format.sampleRate)))
        try take(tail)
        try graph.finish()
        try drain()
        return SoundLevels(
            loudness: found,
            truePeak: peak > 0 ? 20 * log10(peak) : SoundLevels.leastPeak)
    }

    private func drain() throws(FFmpegError) {
        let frame = try Frame()
        while try graph.receive(into: frame) {
            if let text = frame.metadata("lavfi.r128.I"), let value = Double(text) {
                loudness = value
            }
            for channel in 0..<format.layout.channels {
                if let text = frame.metadata("lavfi.r128.true_peaks_ch\(channel)"),
                    let value = Double(text)
                {
                    peak = max(peak, value)
                }
            }
        }
    }
}

extension LoudnessPlan {
    /// The filters that give sound in planar floating point its loudness; they keep the number of samples.
    var chain: String {
        let gain = "volume=volume=\(Self.factor(gain)):precision=float"
        guard let limit else { return gain }
        return gain + ",alimiter=limit=\(Self.factor(limit)):level=0:latency=1,"
            + "aformat=sample_fmts=fltp"
    }

    private static func factor(_ decibels: Double) -> String {
        String(format: "%.9f", pow(10, decibels / 20))
    }
}

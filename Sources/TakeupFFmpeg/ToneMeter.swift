internal import CTakeupFFmpeg
internal import Foundation

/// Measures the strongest tone in sound as an AAC encoder sees it: with an MDCT of 1,024 lines.
///
/// Confined to one lane.
public final class ToneMeter {
    /// Number of lines in a transform, and of samples in a block.
    public static let blockLength = 1024
    /// MDCT line of a full-scale sine: its square times the window, summed over a transform.
    private static let fullScale = Float(blockLength) * 2 / .pi

    private let channels: Int
    private var context: OpaquePointer?
    private var transform: av_tx_fn?
    private let window: [Float]
    /// The previous block of every channel.
    private let before: UnsafeMutablePointer<Float>
    private var energies: [Double]
    private let input: UnsafeMutablePointer<Float>
    private let lines: UnsafeMutablePointer<Float>

    /// - Parameter channels: Number of channels in every block, at least 1.
    /// - Throws: `FFmpegError` with `.allocate`.
    public init(channels: Int) throws(FFmpegError) {
        let length = Self.blockLength
        self.channels = channels
        window = (0..<2 * length).map {
            Float(sin(Double.pi * (Double($0) + 0.5) / Double(2 * length)))
        }
        energies = Array(repeating: 0, count: channels)
        before = .allocate(capacity: channels * length)
        before.initialize(repeating: 0, count: channels * length)
        input = Self.aligned(2 * length)
        lines = Self.aligned(length)
        context = nil
        transform = nil
        var scale: Float = 1
        try check(
            av_tx_init(&context, &transform, AV_TX_FLOAT_MDCT, 0, Int32(length), &scale, 0),
            .allocate, "a transform")
    }

    deinit {
        av_tx_uninit(&context)
        before.deallocate()
        input.deallocate()
        lines.deallocate()
    }

    private static func aligned(_ count: Int) -> UnsafeMutablePointer<Float> {
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
        return bytes.initializeMemory(as: Float.self, repeating: 0, count: count)
    }

    /// Measures the next block together with the previous one.
    ///
    /// - Parameters:
    ///   - block: Up to 1,024 samples in planar 32-bit floating point.
    ///   - floor: Smallest level of interest, as a fraction of full scale.
    /// - Returns: The strongest line of the loudest channel, where 1 is a full-scale sine; 0 if the
    ///   line cannot exceed `floor`.
    public func strongestTone(_ block: borrowing Frame, above floor: Float) -> Float {
        guard let planes = block.raw.pointee.extended_data else { return 0 }
        var most: Float = 0
        for channel in 0..<channels {
            guard let bytes = planes[channel] else { continue }
            let count = min(block.sampleCount, Self.blockLength)
            let past = before + channel * Self.blockLength
            bytes.withMemoryRebound(to: Float.self, capacity: count) { samples in
                let energy = Self.energy(samples, count)
                if mayExceed(floor, energies[channel] + energy) {
                    most = max(most, line(past, samples, count))
                }
                energies[channel] = energy
                past.update(repeating: 0, count: Self.blockLength)
                past.update(from: samples, count: count)
            }
        }
        return most / Self.fullScale
    }

    private static func energy(_ samples: UnsafePointer<Float>, _ count: Int) -> Double {
        var sum = 0.0
        for place in 0..<count { sum += Double(samples[place] * samples[place]) }
        return sum
    }

    /// Returns whether a line can exceed the floor.
    ///
    /// By the Cauchy–Schwarz inequality, the energy limits every line.
    private func mayExceed(_ floor: Float, _ energy: Double) -> Bool {
        let line = Double(floor * Self.fullScale)
        return energy * Double(Self.blockLength) >= line * line
    }

    private func line(
        _ past: UnsafePointer<Float>, _ samples: UnsafePointer<Float>, _ count: Int
    ) -> Float {
        let length = Self.blockLength
        input.update(repeating: 0, count: 2 * length)
        input.update(from: past, count: length)
        (input + length).update(from: samples, count: count)
        for place in 0..<2 * length { input[place] *= window[place] }
        transform?(context, lines, input, MemoryLayout<Float>.stride)
        return (0..<length).reduce(0) { max($0, abs(lines[$1])) }
    }
}

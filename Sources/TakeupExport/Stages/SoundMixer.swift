internal import Foundation
internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel
internal import TakeupTimeline

/// Sums the sound of several tracks, each at its volume.
///
/// All tracks begin together, and block by block they have equally many samples.
final class SoundMixer: SoundSupply {
    /// Samples per block of every track, except its last one.
    static let block = 1024

    /// Keeps sums below full scale as they are, and holds louder places at full scale without distorting them.
    static let limiter = "alimiter=limit=1:level=0:latency=1,aformat=sample_fmts=fltp"

    private let encoding: AudioEncoding
    private let tracks: [(queue: BoundedQueue<Frame>, gains: [GainCurve])]
    /// The loudest sample so far, and where the first one beyond full scale lies.
    private var peak: Float = 1
    private var firstBeyond: Int64?

    /// - Parameters:
    ///   - tracks: The blocks of each track, and the volumes that are all applied to it.
    ///   - encoding: Whose format the blocks have.
    init(_ tracks: [(queue: BoundedQueue<Frame>, volumes: [Volume])], _ encoding: AudioEncoding) {
        self.encoding = encoding
        self.tracks = tracks.map {
            ($0.queue, $0.volumes.map { GainCurve($0, sampleRate: encoding.sampleRate) })
        }
    }

    func run(_ give: @escaping SoundTaker) throws(FFmpegError) {
        var position: Int64 = 0
        while let sum = try next(at: position) {
            let count = sum.sampleCount
            sum.ptsTicks = position
            let loudest = sum.peak()
            if loudest > 1 {
                peak = max(peak, loudest)
                firstBeyond = firstBeyond ?? position
            }
            try give(sum)
            position += Int64(count)
        }
    }

    /// Returns the sum of all tracks' next blocks; nil at the end.
    private func next(at position: Int64) throws(FFmpegError) -> Frame? {
        var sum = try Frame()
        for track in tracks {
            guard let block = track.queue.pop() else { continue }
            let count = block.sampleCount
            if sum.sampleCount == 0 { sum = try Frame.silence(encoding.format, samples: count) }
            sum.add(
                block, gains: GainCurve.gains(of: track.gains, from: position, count: count))
        }
        return sum.sampleCount > 0 ? consume sum : nil
    }

    /// Tells where the sum was beyond full scale; nil if it never was.
    var warning: ExportWarning? {
        guard let firstBeyond else { return nil }
        let tenths = Int((200 * log10(Double(peak))).rounded(.up))
        let time = MediaTime(value: firstBeyond, timescale: Int64(encoding.sampleRate))
        return ExportWarning(
            code: "mixLimited",
            message:
                "the mix is up to \(tenths / 10).\(tenths % 10) dB louder than full scale, the "
                + "first time at \(time): there a limiter lowers it; lower volumes keep it as it is"
        )
    }
}

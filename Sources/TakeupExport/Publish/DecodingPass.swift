internal import TakeupFFmpeg
internal import TakeupTimeline

/// Decodes a stretch of packets and compares the decoded frames with the packets.
struct DecodingPass {
    private let decoder: Decoder
    private let stream: StreamDescription
    private let frame: FrameSlot
    /// Whether each packet holds one picture with the packet's time.
    private let isExact: Bool
    /// Number of the decoder's complaints before counting started; nil until then.
    private var earlier: Int?
    /// Presentation time of the first counted packet; earlier pictures may refer to packets that
    /// were not read.
    private var start = Int64.min
    private var packets = 0
    /// Times of pictures that an edit list hides; some decoders return them anyway.
    private var hidden: Set<Int64> = []
    private var shown: (first: Int64, last: Int64)?
    private var frames = 0
    private var decoded: (first: Int64, last: Int64)?
    private var refusal: String?

    init(_ decoder: Decoder, _ stream: StreamDescription) throws(FFmpegError) {
        self.decoder = decoder
        self.stream = stream
        frame = FrameSlot(try Frame())
        isExact = stream.kind == .video && FramesPerPacket.isOne(stream.codec)
    }

    /// Starts to count faults and pictures at a packet.
    mutating func startCounting(_ packet: borrowing Packet) {
        earlier = decoder.complaintCount
        start = packet.ptsTicks ?? .min
    }

    mutating func feed(_ packet: borrowing Packet) throws(FFmpegError) {
        if earlier != nil, !packet.isDiscarded, packet.byteCount > 0,
            let ticks = packet.ptsTicks, ticks >= start
        {
            packets += 1
            shown = (min(shown?.first ?? ticks, ticks), max(shown?.last ?? ticks, ticks))
        }
        if packet.isDiscarded, let ticks = packet.ptsTicks { hidden.insert(ticks) }
        while true {
            var isTaken = true
            do throws(FFmpegError) {
                isTaken = try decoder.send(packet)
            } catch {
                try note(error)
            }
            try drain()
            if isTaken { return }
        }
    }

    /// - Returns: What is wrong; nil if nothing is.
    mutating func end() throws(FFmpegError) -> String? {
        try? decoder.finish()
        try drain()
        let complaints = decoder.complaintCount - (earlier ?? 0)
        if complaints > 0 {
            let first = earlier == 0 ? decoder.firstComplaint : nil
            return "the decoder complains \(complaints) times"
                + (first.map { ", of the first fault: \($0)" } ?? "")
        }
        if let refusal { return refusal }
        guard isExact else {
            return frames == 0 && packets > 2 ? "nothing can be decoded" : nil
        }
        guard frames >= packets else {
            return "\(packets - frames) of \(packets) pictures are undecodable"
        }
        guard let shown, let decoded else { return nil }
        let tolerance = stream.timeBase.ticks(FinishedStream.tolerance)
        guard abs(shown.first - decoded.first) <= tolerance,
            abs(shown.last - decoded.last) <= tolerance
        else {
            let base = stream.timeBase
            return "pictures from \(base.time(decoded.first)) to \(base.time(decoded.last)) are "
                + "decoded, \(base.time(shown.first)) to \(base.time(shown.last)) are there"
        }
        return nil
    }

    private mutating func drain() throws(FFmpegError) {
        while true {
            do throws(FFmpegError) {
                guard try decoder.receive(into: frame.frame) else { return }
            } catch {
                try note(error)
                continue
            }
            guard earlier != nil else { continue }
            let ticks = frame.frame.bestEffortTicks ?? frame.frame.ptsTicks
            if let ticks, hidden.contains(ticks) { continue }
            guard let ticks, ticks >= start else {
                if !isExact { frames += 1 }
                continue
            }
            frames += 1
            decoded = (min(decoded?.first ?? ticks, ticks), max(decoded?.last ?? ticks, ticks))
        }
    }

    private mutating func note(_ error: FFmpegError) throws(FFmpegError) {
        guard error.operation == .decode, error.status != .outOfMemory else { throw error }
        if earlier != nil { refusal = refusal ?? "a packet cannot be decoded: \(error.status)" }
    }
}

/// Holds a frame for reuse, because a copyable struct cannot hold a noncopyable frame.
final class FrameSlot {
    let frame: Frame

    init(_ frame: consuming Frame) {
        self.frame = frame
    }
}

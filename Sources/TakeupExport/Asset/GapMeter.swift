internal import TakeupFFmpeg
internal import TakeupTimeline

/// Measures the gaps between the packets of a source with a damaged container.
struct GapMeter: Sendable, Equatable {
    /// Number of packets that wait to be sorted by presentation time; encoders reorder at most 16.
    fileprivate static let reorder = 32
    /// A gap of more pictures than this means wrong timestamps, not missing pictures.
    fileprivate static let mostPictures = 1e9

    /// The gaps of one track.
    struct Track: Sendable, Equatable {
        fileprivate let base: TimeBase
        /// Duration of each picture of a constant rate; nil for a variable rate and for sound.
        fileprivate let step: MediaTime?
        /// Whether time without a shown packet is a gap.
        fileprivate let isEven: Bool
        /// Presentation spans of the waiting packets, in order.
        fileprivate var waiting: [Span] = []
        fileprivate var newest: Span?
        /// Number of missing pictures; 0 for sound.
        private(set) var pictures = 0
        /// Total duration of the gaps.
        private(set) var length = MediaTime.zero
    }

    fileprivate struct Span: Equatable {
        var start: MediaTime
        var end: MediaTime
    }

    private(set) var tracks: [Int: Track] = [:]
    /// Presentation time of the first packet; nil without timestamps.
    private(set) var start: MediaTime?
    private(set) var end: MediaTime?

    /// Reads all packets from the demuxer's position, which must be the start.
    ///
    /// Pictures of a variable rate have no gaps: any picture may be shown for long.
    init(_ demuxer: Demuxer) throws(FFmpegError) {
        for stream in demuxer.streams where !stream.isAttachedPicture {
            guard stream.kind == .video || stream.kind == .audio else { continue }
            var step: MediaTime?
            if stream.kind == .video, FrameTiming(stream, nil, false) == .constant,
                let rate = stream.averageFrameRate, rate.numerator > 0, rate.denominator > 0
            {
                step = MediaTime(value: rate.denominator, timescale: rate.numerator)
            }
            tracks[stream.index] = Track(
                base: stream.timeBase, step: step, isEven: stream.kind == .audio || step != nil)
        }
        let packet = try Packet()
        while true {
            do throws(FFmpegError) {
                guard try demuxer.read(into: packet) else { break }
            } catch {
                if error.status == .interrupted { throw error }
                break
            }
            guard let track = tracks[packet.streamIndex],
                let ticks = packet.ptsTicks ?? packet.dtsTicks
            else { continue }
            let shown = track.base.time(ticks)
            let length = track.step ?? track.base.time(max(0, packet.durationTicks))
            add(Span(start: shown, end: shown + length), to: packet.streamIndex)
        }
        for index in tracks.keys { while tracks[index]?.judge(atEnd: true) == true {} }
    }

    private mutating func add(_ span: Span, to index: Int) {
        start = min(start ?? span.start, span.start)
        end = max(end ?? span.end, span.end)
        guard tracks[index]?.isEven == true else { return }
        tracks[index]?.add(span)
        while tracks[index]?.judge(atEnd: false) == true {}
    }
}

extension GapMeter.Track {
    fileprivate mutating func add(_ span: GapMeter.Span) {
        if let newest, span.start < newest.start {
            // The timestamps restart, as in files that were concatenated byte by byte.
            while judge(atEnd: true) {}
            self.newest = nil
        }
        let place = waiting.lastIndex { $0.start <= span.start }.map { $0 + 1 } ?? 0
        waiting.insert(span, at: place)
    }

    /// Judges the earliest waiting packet.
    ///
    /// - Returns: Whether a packet was judged, because no later packet can come before it.
    fileprivate mutating func judge(atEnd: Bool) -> Bool {
        guard let span = waiting.first, atEnd || waiting.count > GapMeter.reorder else {
            return false
        }
        waiting.removeFirst()
        if let newest { note(span.start - newest.end, lasting: newest.end - newest.start) }
        newest = span
        return true
    }

    /// Records the gap between two packets; timestamps are rounded, so less than half a packet is
    /// no gap.
    private mutating func note(_ gap: MediaTime, lasting packet: MediaTime) {
        guard packet > .zero, gap + gap >= packet else { return }
        guard let step else {
            length = length + gap
            return
        }
        let count = Int(min(gap.seconds / step.seconds, GapMeter.mostPictures).rounded())
        pictures += count
        length = length + MediaTime(value: step.value * Int64(count), timescale: step.timescale)
    }
}

internal import TakeupFFmpeg
internal import TakeupTimeline

/// Measures what is missing between the packets of a source whose container is damaged.
struct GapMeter: Sendable, Equatable {
    /// Packets of a track that wait until they are in the order in which they are shown: coders reorder no more than 16.
    fileprivate static let reorder = 32
    /// Beyond so many pictures times are wrong, rather than pictures missing.
    fileprivate static let mostPictures = 1e9

    /// What was met of one track.
    struct Track: Sendable, Equatable {
        fileprivate let base: TimeBase
        /// How long each picture of an even rate is shown; nil for others and for sound.
        fileprivate let step: MediaTime?
        /// Whether a time in which nothing is shown is a gap.
        fileprivate let isEven: Bool
        /// From when to when packets are shown, in order.
        fileprivate var waiting: [Span] = []
        fileprivate var newest: Span?
        /// Pictures that are missing; 0 of sound.
        private(set) var pictures = 0
        /// How long nothing is shown, between what is there.
        private(set) var length = MediaTime.zero
    }

    fileprivate struct Span: Equatable {
        var start: MediaTime
        var end: MediaTime
    }

    private(set) var tracks: [Int: Track] = [:]
    /// From when to when anything is shown; nil without a time.
    private(set) var start: MediaTime?
    private(set) var end: MediaTime?

    /// Reads all packets from the demuxer's position, which must be the start.
    ///
    /// Pictures of an uneven rate have no gaps: any of them may be shown for long.
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
            // The times begin again, as in files that were joined byte by byte.
            while judge(atEnd: true) {}
            self.newest = nil
        }
        let place = waiting.lastIndex { $0.start <= span.start }.map { $0 + 1 } ?? 0
        waiting.insert(span, at: place)
    }

    /// Looks at the earliest packet that waits.
    ///
    /// - Returns: Whether there was one that no later packet can come before.
    fileprivate mutating func judge(atEnd: Bool) -> Bool {
        guard let span = waiting.first, atEnd || waiting.count > GapMeter.reorder else {
            return false
        }
        waiting.removeFirst()
        if let newest { note(span.start - newest.end, lasting: newest.end - newest.start) }
        newest = span
        return true
    }

    /// Takes in what lies between two packets, which are rounded: less than half of one is no gap.
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

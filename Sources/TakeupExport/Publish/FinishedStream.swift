internal import TakeupFFmpeg
internal import TakeupTimeline

/// One stream of a finished file, as a demuxer and a decoder give its ends.
struct FinishedStream {
    /// What the times of pictures may be off by: an index and edit lists round.
    static let tolerance = MediaTime(value: 2, timescale: 1000)
    /// The same of sound, of which players cut the first piece in their own ways: less than a piece.
    static let soundTolerance = MediaTime(value: 1, timescale: 50)
    /// Pictures of the last group that are decoded at most; of a longer one none is.
    private static let mostPictures = 300
    /// The same where every packet is that of the source, of a picture of 1280x720; of smaller ones more, of larger
    /// ones fewer, so that it costs about a second.
    private static let copiedPixels = 300 * 1280 * 720
    /// A track of no more packets is decoded as a whole.
    private static let few = 150
    /// Pictures of the first group that are decoded: coders reorder no more than 16.
    private static let headPictures = 8...48
    /// Pieces of sound that are decoded at either end.
    private static let pieces = 8

    /// How much of a stream is decoded.
    enum Effort {
        case none
        /// Of one whose packets are all those of the source.
        case copied
        case made
        /// All of it, of sound: it decodes fast.
        case whole
    }

    let description: StreamDescription
    let packets: Int
    /// The earliest and the latest presentation time; nil when none was read.
    private(set) var first: MediaTime?
    private(set) var last: MediaTime?
    /// The same without what an edit list hides.
    private(set) var firstShown: MediaTime?
    private(set) var lastShown: MediaTime?
    /// What decoding found wrong.
    private(set) var problem: String?

    /// Reads, and decodes, the first packets of a stream, and from the last key packet on to the end.
    ///
    /// - Parameters:
    ///   - stream: Which.
    ///   - demuxer: Of the finished file.
    ///   - effort: What may be decoded of it.
    /// - Throws: `FFmpegError` when the file cannot be read.
    init(
        _ stream: StreamDescription, _ demuxer: Demuxer, _ effort: Effort
    ) throws(FFmpegError) {
        let pixels = max(1, stream.width * stream.height)
        let mostPictures =
            switch effort {
            case .none: 0
            case .copied: min(Self.mostPictures, Self.copiedPixels / pixels)
            case .made, .whole: Self.mostPictures
            }
        description = stream
        packets = demuxer.indexCount(of: stream.index)
        guard packets > 0 else { return }
        let isMedia = stream.kind == .video || stream.kind == .audio
        let reader = StreamEnd(stream, demuxer, decodes: effort != .none && isMedia)
        let keys = Keys(demuxer, stream, packets)
        if packets <= Self.few || effort == .whole && stream.kind == .audio {
            take(try reader.read(0..<packets, countingFrom: 0), "")
            return
        }
        let head = min(keys.second, Self.headPictures.upperBound)
        let pictures = max(head, Self.headPictures.lowerBound)
        let isVideo = stream.kind == .video
        let start = try reader.read(0..<(isVideo ? pictures : Self.pieces), countingFrom: 0)
        take(start, "at its start")
        try readTail(reader, keys, mostPictures)
    }

    private mutating func readTail(
        _ reader: StreamEnd, _ keys: Keys, _ mostPictures: Int
    ) throws(FFmpegError) {
        guard description.kind == .video else {
            // Some codecs build on the packets before.
            let from = packets - Self.pieces
            let end = try reader.read(
                max(0, from - Self.pieces)..<packets, countingFrom: max(0, from))
            take(end, "at its end")
            return
        }
        let isShort = packets - keys.last <= mostPictures
        var end = try reader.read(
            keys.last..<packets, countingFrom: keys.last, decodes: isShort)
        if end.problem != nil, let before = keys.beforeLast,
            packets - before <= 2 * mostPictures
        {
            // An open group builds on the one before.
            end = try reader.read(before..<packets, countingFrom: keys.last)
        }
        take(end, "at its end")
    }

    private mutating func take(_ end: StreamEnd.Found, _ place: String) {
        let time = { [description] (ticks: Int64?) in ticks.map { description.timeBase.time($0) } }
        first = [first, time(end.first)].compactMap(\.self).min()
        last = [last, time(end.last)].compactMap(\.self).max()
        firstShown = [firstShown, time(end.firstShown)].compactMap(\.self).min()
        lastShown = [lastShown, time(end.lastShown)].compactMap(\.self).max()
        problem = problem ?? end.problem.map { place.isEmpty ? $0 : "\(place) \($0)" }
    }

    /// Places of key packets in the index.
    private struct Keys {
        let second: Int
        let last: Int
        let beforeLast: Int?

        init(_ demuxer: Demuxer, _ stream: StreamDescription, _ packets: Int) {
            let isKey = { (place: Int) in
                demuxer.indexEntry(place, of: stream.index)?.isKey == true
            }
            second = (1..<max(1, packets)).first(where: isKey) ?? packets
            let last = (0..<packets).last(where: isKey) ?? 0
            self.last = last
            beforeLast = (0..<last).last(where: isKey)
        }
    }
}

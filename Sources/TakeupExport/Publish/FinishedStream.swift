internal import TakeupFFmpeg
internal import TakeupTimeline

/// The first and last times of one stream in a finished file, from a demuxer and a decoder.
struct FinishedStream {
    /// Tolerance for picture times: an index and edit lists round.
    static let tolerance = MediaTime(value: 2, timescale: 1000)
    /// Tolerance for sound times: players cut the first block in different ways, by less than a
    /// block.
    static let soundTolerance = MediaTime(value: 1, timescale: 50)
    /// Highest number of decoded pictures in the last GOP; a longer GOP is not decoded.
    private static let mostPictures = 300
    /// The pixel budget for the last GOP of a copied track: 300 pictures of 1280x720, about one
    /// second of work.
    ///
    /// Smaller pictures allow more of them, larger ones fewer.
    private static let copiedPixels = 300 * 1280 * 720
    /// A track with at most this many packets is decoded as a whole.
    private static let few = 150
    /// Number of pictures to decode in the first GOP; encoders reorder at most 16.
    private static let headPictures = 8...48
    /// Number of audio blocks to decode at each end.
    private static let pieces = 8

    /// How much of a stream to decode.
    enum Effort {
        case none
        /// A track that contains all packets of its source.
        case copied
        case made
        /// The whole track; only for sound, which decodes fast.
        case whole
    }

    let description: StreamDescription
    let packets: Int
    /// Earliest and latest presentation time; nil if no packet was read.
    private(set) var first: MediaTime?
    private(set) var last: MediaTime?
    /// Earliest and latest presentation time without packets that an edit list hides.
    private(set) var firstShown: MediaTime?
    private(set) var lastShown: MediaTime?
    /// The problem that decoding found.
    private(set) var problem: String?

    /// Reads and decodes the first packets of a stream, and those from the last keyframe to the
    /// end.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - demuxer: Demuxer of the finished file.
    ///   - effort: How much to decode.
    /// - Throws: `FFmpegError` if the file cannot be read.
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
            // Some codecs need the packets before.
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
            // An open GOP refers to the previous GOP.
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

    /// Index positions of keyframe packets.
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

internal import TakeupFields

/// Parses a media playlist line by line.
struct MediaPlaylistReader {
    let limits: PlaylistLimits
    private var segments: [MediaPlaylist.Segment] = []
    private var targetSeconds: Int64?
    private var firstSequence: Int64?
    private var hasEnded = false
    private var key: MediaPlaylist.Key?
    private var map: MediaPlaylist.Map?
    /// Duration of the segment whose address has not been read yet, in seconds.
    private var seconds: Double?
    private var byteRange: ByteRangeText?
    private var isDiscontinuity = false
    private var lastLine = 1

    init(limits: PlaylistLimits) {
        self.limits = limits
    }

    mutating func read(_ line: PlaylistLine) throws(PlaylistError) {
        lastLine = line.number
        switch line {
        case .uri(let uri, let number): try append(uri, number)
        case .tag(let tag): try apply(tag)
        }
    }

    func finish() throws(PlaylistError) -> MediaPlaylist {
        guard seconds == nil, byteRange == nil else {
            throw .malformed(line: lastLine, "no address of the last segment")
        }
        guard hasEnded else { throw .live }
        guard !segments.isEmpty else { throw .empty }
        guard let targetSeconds else {
            throw .malformed(line: lastLine, "no EXT-X-TARGETDURATION")
        }
        return MediaPlaylist(targetSeconds: targetSeconds, segments: segments)
    }

    private mutating func apply(_ tag: PlaylistLine.Tag) throws(PlaylistError) {
        try PlaylistRules.check(tag)
        switch tag.name {
        case "EXTINF": seconds = try duration(tag)
        case "EXT-X-BYTERANGE": byteRange = try ByteRangeText(tag.text, line: tag.number)
        case "EXT-X-KEY": key = try key(tag)
        case "EXT-X-MAP": map = try map(tag)
        case "EXT-X-DISCONTINUITY": isDiscontinuity = true
        case "EXT-X-ENDLIST": hasEnded = true
        case "EXT-X-TARGETDURATION":
            guard targetSeconds == nil else { throw tag.fault("twice") }
            targetSeconds = try tag.wholeNumber()
        case "EXT-X-MEDIA-SEQUENCE":
            guard firstSequence == nil, segments.isEmpty else { throw tag.fault("too late") }
            firstSequence = try tag.wholeNumber()
        case "EXT-X-I-FRAMES-ONLY", "EXT-X-GAP", "EXT-X-SKIP":
            throw .unsupported(line: tag.number, tag.name)
        default: break
        }
    }

    private mutating func append(_ uri: String, _ number: Int) throws(PlaylistError) {
        guard let seconds else { throw .malformed(line: number, "an address without EXTINF") }
        guard !PlaylistName.isOne(uri) else { throw .nestedPlaylist(line: number) }
        guard segments.count < limits.segments else {
            throw .tooLarge("\(limits.segments) segments")
        }
        let before = segments.last.flatMap { $0.uri == uri ? $0.bytes?.upperBound : nil }
        let bytes = try byteRange?.range(following: before)
        let (sequence, overflows) = (firstSequence ?? 0)
            .addingReportingOverflow(Int64(segments.count))
        guard !overflows else { throw .malformed(line: number, "EXT-X-MEDIA-SEQUENCE too large") }
        segments.append(
            MediaPlaylist.Segment(
                uri: uri, seconds: seconds, bytes: bytes, key: key, map: map,
                isDiscontinuity: isDiscontinuity, sequence: sequence))
        (self.seconds, byteRange, isDiscontinuity) = (nil, nil, false)
    }

    /// Parses seconds with at most one decimal point, before the comma and the title.
    private func duration(_ tag: PlaylistLine.Tag) throws(PlaylistError) -> Double {
        let text = FieldText.trimmed(
            Substring(tag.text.utf8.prefix { $0 != UInt8(ascii: ",") }))
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isDecimal, let seconds = Double(text), seconds <= 86_400 else {
            throw tag.fault("no duration of at most a day")
        }
        return seconds
    }

    private func key(_ tag: PlaylistLine.Tag) throws(PlaylistError) -> MediaPlaylist.Key? {
        let attributes = try tag.attributes()
        switch try attributes.word("METHOD") {
        case "NONE": return nil
        case "AES-128": break
        case let method?: throw .protected(line: tag.number, method: method)
        case nil: throw tag.fault("no METHOD")
        }
        if let format = try attributes.quoted("KEYFORMAT"), format != "identity" {
            throw .protected(line: tag.number, method: format)
        }
        return MediaPlaylist.Key(
            uri: try attributes.requiredQuoted("URI"),
            vector: try attributes.bytes("IV", count: 16))
    }

    private func map(_ tag: PlaylistLine.Tag) throws(PlaylistError) -> MediaPlaylist.Map {
        let attributes = try tag.attributes()
        let uri = try attributes.requiredQuoted("URI")
        guard !PlaylistName.isOne(uri) else { throw .nestedPlaylist(line: tag.number) }
        guard key == nil || key?.vector != nil else {
            throw tag.fault("an encrypted map needs a key with an IV")
        }
        let text = try attributes.quoted("BYTERANGE")
        var bytes: Range<Int64>?
        if let text { bytes = try ByteRangeText(text, line: tag.number).range(following: 0) }
        return MediaPlaylist.Map(uri: uri, bytes: bytes, key: key)
    }
}

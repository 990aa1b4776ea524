internal import TakeupDigest
internal import TakeupFetch
internal import TakeupFields
internal import TakeupFiles
internal import TakeupHTTP

/// A request for a source whose facts are known: how it is answered, and how much of it is here.
struct ProxyQuestion {
    let answer: RangeAnswer
    /// The first byte that is sent; nil if none is.
    let start: Int64?
    /// What was here of this version when the request came.
    let held: RangeSet
    let generation: Int64
    let result: MediaFigures.Result
    /// The value of `Cache-Status`, by what is held when it is sent.
    let status: @Sendable (SourceHoldings) -> String

    /// - Parameters:
    ///   - request: GET or HEAD.
    ///   - before: What was here when it came.
    ///   - now: What is here since the facts are known.
    ///   - facts: Of the source.
    ///   - key: Of the source.
    ///   - passed: Names of the request's fields that go on to the origin.
    ///   - wallClock: Seconds since 1970.
    init(
        _ request: HTTPRequest, before: SourceHoldings, now: SourceHoldings,
        _ facts: ContentInformation, key: SourceKey, passed: [String], wallClock: Double
    ) {
        generation = now.generation
        held = before.generation == now.generation ? before.present : RangeSet()
        let type = Self.type(facts)
        let date = HTTPDate(secondsSince1970: Int64(wallClock))
        var representation = Representation(
            length: now.length, tag: Self.tag(now, key),
            modified: now.version?.lastModified?.date, contentType: type)
        let boundary = "\(request.id)-\(key.description.prefix(16))"
        // What is sent depends on nothing that comes after this.
        let content = RangeAnswer(
            method: request.method, request: request.fields, of: representation, now: date,
            boundary: boundary
        ).content
        let ranges = Self.ranges(content, length: now.length)
        start = request.method == "GET" ? ranges.first?.lowerBound : nil
        let result = Self.result(ranges, held)
        self.result = result
        let sent =
            switch content {
            case .nothing, .whole: 200
            case .part, .parts: 206
            }
        status = { Self.status(result, $0, sent: sent) }
        representation.fields =
            [("Cache-Status", status(now)), ("Cache-Control", "private, no-cache")]
            + ForeignContent.fields(type)
        if !passed.isEmpty {
            representation.fields.append(("Vary", passed.joined(separator: ", ")))
        }
        // RFC 9111, 4.2.3.
        if result == .hit, let checked = now.checkedAt {
            let age = Int64(max(0, wallClock - checked) + now.originAge)
            representation.fields.append(("Age", "\(age)"))
        }
        answer = RangeAnswer(
            method: request.method, request: request.fields, of: representation, now: date,
            boundary: boundary)
    }

    private static func ranges(_ content: RangeAnswer.Content, length: Int64?) -> [Range<Int64>] {
        switch content {
        case .nothing: []
        case .whole: [0..<(length ?? .max)]
        case .part(let range): [range]
        case .parts(let ranges, _): ranges
        }
    }

    private static func result(_ ranges: [Range<Int64>], _ held: RangeSet) -> MediaFigures.Result {
        let here = ranges.reduce(0) { $0 + held.intersection($1).byteCount }
        if here == ranges.reduce(0, { $0 + $1.upperBound - $1.lowerBound }) { return .hit }
        return here == 0 ? .miss : .partial
    }

    /// - Note: Source: RFC 9211, 2.2 to 2.4: without `fwd-status`, the origin's status is the one that is sent.
    private static func status(
        _ result: MediaFigures.Result, _ holdings: SourceHoldings, sent: Int
    ) -> String {
        let reason: String
        switch result {
        case .hit: return "Takeup; hit"
        case .partial: reason = "partial"
        case .miss, .error: reason = "miss"
        }
        let origin = holdings.originStatus.flatMap { $0 == sent ? nil : "; fwd-status=\($0)" }
        return "Takeup; fwd=\(reason)" + (origin ?? "") + (holdings.isPassing ? "" : "; stored")
    }

    /// Names the version; nil where the origin does not tell versions apart.
    private static func tag(_ holdings: SourceHoldings, _ key: SourceKey) -> EntityTag? {
        guard let version = holdings.version, version.tag != nil || version.lastModified != nil
        else { return nil }
        let validator = version.tag?.text ?? version.lastModified?.text ?? ""
        let text = "\(key)\n\(validator)\n\(version.length ?? -1)"
        let isStrong = version.tag.map { !$0.isWeak } ?? version.lastModified?.isStrong ?? false
        return EntityTag("\(isStrong ? "" : "W/")\"\(SHA256Digest.of(text).prefix(32))\"")
    }

    /// The origin's word, unless it says nothing or cannot be sent on.
    private static func type(_ facts: ContentInformation) -> String {
        let vague = ["", "application/octet-stream", "binary/octet-stream", "text/plain"]
        var stated = facts.contentType ?? ""
        if stated.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            stated = ""
        }
        guard vague.contains(stated.lowercased()) else { return stated }
        return facts.signature?.contentType
            ?? (stated.isEmpty ? "application/octet-stream" : stated)
    }
}

extension MediaSignature {
    fileprivate var contentType: String? {
        switch self {
        case .mp4: "video/mp4"
        case .matroska: "video/x-matroska"
        case .transportStream: "video/mp2t"
        case .programStream, .elementaryVideo: "video/mpeg"
        case .flv: "video/x-flv"
        case .avi: "video/x-msvideo"
        case .wav: "audio/wav"
        case .mp3: "audio/mpeg"
        case .aac: "audio/aac"
        case .ogg: "application/ogg"
        case .flac: "audio/flac"
        case .gif: "image/gif"
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .mxf: "application/mxf"
        case .asf: "video/x-ms-asf"
        case .amr: "audio/amr"
        case .playlist: "application/vnd.apple.mpegurl"
        case .y4m: nil
        }
    }
}

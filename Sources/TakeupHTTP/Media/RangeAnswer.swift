public import TakeupFields

/// What is served: one version of an object, as far as it is known before its bytes are.
public struct Representation: Sendable {
    /// In bytes; nil where it is not known, and no part can be asked for.
    public var length: Int64?
    public var tag: EntityTag?
    public var modified: HTTPDate?
    public var contentType: String
    /// Further fields of every answer that concerns this version.
    public var fields: [(String, String)]

    public init(
        length: Int64?, tag: EntityTag? = nil, modified: HTTPDate? = nil, contentType: String,
        fields: [(String, String)] = []
    ) {
        (self.length, self.tag, self.modified) = (length, tag, modified)
        (self.contentType, self.fields) = (contentType, fields)
    }
}

/// How a request for an object is answered: which status, which fields, and which of its bytes.
public struct RangeAnswer: Sendable {
    public enum Content: Sendable, Equatable {
        /// Nothing of the object.
        case nothing
        case whole
        case part(Range<Int64>)
        /// As `multipart/byteranges`.
        case parts([Range<Int64>], boundary: String)
    }

    public let status: Int
    public let fields: [(String, String)]
    public let content: Content
    private let representation: Representation
    private let isHead: Bool

    /// Decides.
    ///
    /// - Parameters:
    ///   - method: GET or HEAD.
    ///   - request: The request's fields.
    ///   - representation: What there is.
    ///   - now: The time of the answer.
    ///   - boundary: Separates parts; must not occur in the object.
    public init(
        method: String, request: HTTPFields, of representation: Representation, now: HTTPDate,
        boundary: String
    ) {
        (self.representation, isHead) = (representation, method == "HEAD")
        let verdict = Preconditions.verdict(
            method: method, fields: request, tag: representation.tag,
            modified: representation.modified, now: now)
        var fields = Self.validators(representation)
        switch verdict {
        case .notModified: (status, content) = (304, .nothing)
        case .failed: (status, content) = (412, .nothing)
        case .proceed:
            let wanted = method == "GET" ? Self.ranges(request, representation, now) : nil
            (status, content) = Self.choice(wanted, representation, boundary)
            switch content {
            case .whole: fields.append(("Content-Type", representation.contentType))
            case .part(let range):
                let stated = ContentRange.bytes(range, total: representation.length)
                fields.append(("Content-Type", representation.contentType))
                fields.append(("Content-Range", stated.description))
            case .parts:
                fields.append(("Content-Type", "multipart/byteranges; boundary=\(boundary)"))
            case .nothing:
                let total = representation.length ?? 0
                fields.append(("Content-Range", ContentRange.unsatisfied(total: total).description))
            }
        }
        // Nothing of the object is told with an answer that holds nothing of it.
        let isRefusal = status == 412 || status == 416
        self.fields =
            isRefusal ? fields.filter { !Self.ofContent.contains($0.0.lowercased()) } : fields
    }

    /// Fields that speak of the object's bytes.
    private static let ofContent: Set<String> = [
        "repr-digest", "content-disposition", "cache-status", "age",
    ]

    /// - Returns: nil where the whole is to be sent; empty where nothing lies in the object.
    private static func ranges(
        _ request: HTTPFields, _ representation: Representation, _ now: HTTPDate
    ) -> [Range<Int64>]? {
        let values = request.values("Range")
        guard values.count == 1, let length = representation.length,
            let ranges = ByteRanges(values[0]),
            Preconditions.permitsRange(
                fields: request, tag: representation.tag, modified: representation.modified,
                now: now)
        else { return nil }
        return ranges.resolved(length: length)
    }

    private static func choice(
        _ ranges: [Range<Int64>]?, _ representation: Representation, _ boundary: String
    ) -> (Int, Content) {
        guard let ranges, let length = representation.length else { return (200, .whole) }
        guard let first = ranges.first else { return (416, .nothing) }
        if ranges.count == 1 { return (206, .part(first)) }
        let bytes = ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        // Several parts that come to nearly everything are more than everything.
        let gain = length - bytes
        return gain <= Int64(ranges.count) * ByteRanges.partOverhead
            ? (200, .whole) : (206, .parts(ranges, boundary: boundary))
    }

    private static func validators(_ representation: Representation) -> [(String, String)] {
        var fields = representation.fields
        if representation.length != nil { fields.append(("Accept-Ranges", "bytes")) }
        if let tag = representation.tag { fields.append(("ETag", tag.text)) }
        if let modified = representation.modified {
            fields.append(("Last-Modified", modified.description))
        }
        return fields
    }

    /// Makes the response.
    ///
    /// - Parameter body: Makes the bytes of a range; asked only for what is sent, with nil for an object of unknown length.
    /// - Returns: The response, without a body for 412 and 416.
    /// - Throws: What `body` throws.
    public func response(_ body: (Range<Int64>?) throws -> HTTPBody) rethrows -> HTTPResponse {
        var response = HTTPResponse(status, fields)
        response.body = try bytes(body)
        return response
    }

    private func bytes(_ body: (Range<Int64>?) throws -> HTTPBody) rethrows -> HTTPBody {
        switch content {
        case .nothing: return status == 304 ? .unsent(length: representation.length) : .none
        case .whole where isHead: return .unsent(length: representation.length)
        case .whole: return try body(representation.length.map { 0..<$0 })
        case .part(let range): return try body(range)
        case .parts(let ranges, let boundary):
            var pieces: [HTTPBody] = []
            for range in ranges {
                let stated = ContentRange.bytes(range, total: representation.length)
                pieces.append(
                    .text(
                        "\(pieces.isEmpty ? "" : "\r\n")--\(boundary)\r\n"
                            + "Content-Type: \(representation.contentType)\r\n"
                            + "Content-Range: \(stated)\r\n\r\n"))
                pieces.append(try body(range))
            }
            pieces.append(.text("\r\n--\(boundary)--\r\n"))
            return ComposedBody.joining(pieces)
        }
    }
}

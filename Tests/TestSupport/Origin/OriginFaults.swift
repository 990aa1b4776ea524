/// What goes wrong with one object of a `TestOrigin`; the default is that nothing does.
public struct OriginFaults: Sendable {
    /// What a `Range` leads to.
    public enum RangeSupport: Sendable, Equatable {
        /// What RFC 9110 says; several ranges give `multipart/byteranges`.
        case honoured
        /// Several ranges give the whole object.
        case singleOnly
        /// Every range gives the whole object with 200.
        case ignored
        /// Every range is answered with this status.
        case refused(Int)
    }

    /// Which bytes come for a single range.
    public enum RangeShape: Sendable, Equatable {
        case exact
        /// So many fewer at the end, but at least one.
        case shorter(by: Int64)
        /// So many more at the end, as far as there are.
        case longer(by: Int64)
        /// So many at most.
        case atMost(Int64)
        /// The right ones, as the only part of `multipart/byteranges`.
        case multipart
    }

    /// What `Content-Range` says.
    public enum ContentRangeForm: Sendable, Equatable {
        case right
        /// Starts and ends so far from the truth.
        case shifted(by: Int64)
        /// The right range of another total.
        case total(Int64)
        /// The right range of `*`.
        case unknownTotal
        /// No field.
        case missing
        /// This text, for every range, also for one that no byte is in.
        case verbatim(String)
    }

    /// How the end of a body is told.
    public enum Framing: Sendable, Equatable {
        case length
        /// A `Content-Length` that does not hold; the connection closes behind the true bytes.
        case declared(Int64)
        case chunked
        /// The same bytes again and again.
        case endlessChunked
        /// By closing the connection.
        case untilClose
        /// By the right length, with bytes behind the body that belong to no answer.
        case lengthAndMore
    }

    /// What a `Range` leads to.
    public var ranges = RangeSupport.honoured
    /// The value of `Accept-Ranges`, whatever is true; nil leaves it out.
    public var acceptRanges: String? = "bytes"
    /// Which bytes come for a single range.
    public var rangeShape = RangeShape.exact
    /// What `Content-Range` says.
    public var contentRange = ContentRangeForm.right
    /// The status of a part.
    public var statusOfPart = 206
    /// How the end of a body is told.
    public var framing = Framing.length
    /// Whether the bytes are sent as gzip, whatever was asked for; for contents up to 64 MiB.
    public var gzips = false
    /// Where bodies break off.
    public var cuts: [OriginCut] = []
    /// Where bodies stand still.
    public var stalls: [OriginStall] = []
    /// How fast each body comes, bytes per second; nil is as fast as can be.
    public var bytesPerSecond: Int?
    /// Answers that come first, one after the other, each its number of times.
    public var answers: [OriginFixedAnswer] = []
    /// When the address stops being good.
    public var expiry: OriginExpiry?
    /// Where to it sends clients on.
    public var redirect: OriginRedirect?
    /// What is wrong with the heads of answers.
    public var head = OriginHeadFaults()
    /// The status that every `HEAD` gets; nil is the right one.
    public var statusOfHead: Int?

    /// No fault.
    public init() {}
}

/// An answer of a `TestOrigin` that has nothing to do with the object's bytes.
public struct OriginFixedAnswer: Sendable {
    /// What is done.
    public enum Act: Sendable {
        /// A whole answer.
        case answer(status: Int, fields: [OriginField], body: [UInt8])
        /// No answer at all.
        case hangUp(OriginCut.Ending)
    }

    /// What is done.
    public var act: Act
    /// How often; nil is always.
    public var times: Int?

    /// Any answer.
    public init(_ act: Act, times: Int? = nil) {
        self.act = act
        self.times = times
    }

    /// A status with a short text.
    public static func status(_ status: Int, times: Int? = nil) -> OriginFixedAnswer {
        let fields = [OriginField("Content-Type", "text/plain")]
        let body = Array("status \(status)\n".utf8)
        return OriginFixedAnswer(.answer(status: status, fields: fields, body: body), times: times)
    }

    /// A status with `Retry-After` in seconds.
    public static func retry(
        _ status: Int = 503, afterSeconds seconds: Int, times: Int? = nil
    ) -> OriginFixedAnswer {
        retry(status, after: "\(seconds)", times: times)
    }

    /// A status with `Retry-After` as a date, seconds since 1970.
    public static func retry(
        _ status: Int = 503, at date: Int, times: Int? = nil
    ) -> OriginFixedAnswer {
        retry(status, after: OriginDate(seconds: date).text, times: times)
    }

    /// 416 that tells a total.
    public static func rangeNotSatisfiable(
        total: Int64, times: Int? = nil
    ) -> OriginFixedAnswer {
        let fields = [OriginField("Content-Range", "bytes */\(total)")]
        return OriginFixedAnswer(.answer(status: 416, fields: fields, body: []), times: times)
    }

    /// A page that asks for a password, with status 200.
    public static func loginPage(times: Int? = nil) -> OriginFixedAnswer {
        let fields = [OriginField("Content-Type", "text/html; charset=utf-8")]
        let body = Array("<!DOCTYPE html><html><body>Sign in</body></html>".utf8)
        return OriginFixedAnswer(.answer(status: 200, fields: fields, body: body), times: times)
    }

    /// The connection ends instead of an answer.
    public static func hangUp(_ ending: OriginCut.Ending, times: Int? = nil) -> OriginFixedAnswer {
        OriginFixedAnswer(.hangUp(ending), times: times)
    }

    private static func retry(_ status: Int, after: String, times: Int?) -> OriginFixedAnswer {
        let fields = [OriginField("Retry-After", after)]
        return OriginFixedAnswer(.answer(status: status, fields: fields, body: []), times: times)
    }
}

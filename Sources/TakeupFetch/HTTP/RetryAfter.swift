public import TakeupFields

/// The wait that an origin asks for before the next request.
///
/// - Note: Source: RFC 9110, 10.2.3.
public struct RetryAfter: Equatable, Sendable {
    /// Seconds: at least 0, at most the cap.
    public let seconds: Int64

    /// Parses a number of seconds or a date; fails for anything else.
    ///
    /// - Parameters:
    ///   - text: The field's value.
    ///   - now: The origin's clock if it sends one, otherwise the local clock.
    ///   - capSeconds: Upper limit of the result, in seconds.
    public init?(_ text: String, now: HTTPDate, capSeconds: Int64) {
        let text = FieldText.trimmed(text)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            seconds = min(FieldText.number(text) ?? .max, capSeconds)
        } else if let date = HTTPDate(text, now: now) {
            seconds = min(max(date.secondsSince1970 - now.secondsSince1970, 0), capSeconds)
        } else {
            return nil
        }
    }
}

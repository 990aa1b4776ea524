internal import TakeupModel

/// Server-sent events.
///
/// - Note: Source: HTML Living Standard, 9.2.
enum EventText {
    /// Milliseconds after which a client comes back.
    static let retry = "retry: 2000\n\n"
    /// Keeps a connection open on which nothing happens.
    static let beat = ":\n\n"
    /// Seconds between two beats.
    static let beatSeconds = 15.0

    /// One event; the object's `type` is its name.
    ///
    /// Without an id, a client stays where it was.
    static func event(_ object: JSONValue, id: String?) -> String {
        (id.map { "id: \($0)\n" } ?? "") + "event: \(type(of: object))\ndata: \(object)\n\n"
    }

    static func type(of object: JSONValue) -> String {
        guard case .object(let members) = object,
            case .text(let type) = members.first(where: { $0.key == "type" })?.value
        else { return "message" }
        return type
    }

    static let fields = [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        // Some proxies would hold the events back.
        ("X-Accel-Buffering", "no"),
    ]
}

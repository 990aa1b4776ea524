/// The head of one request, as the client sent it.
public struct HTTPRequest: Sendable {
    /// Names the request in logs and in the response's `X-Request-Id`; 16 hexadecimal digits.
    public var id: String
    public var method: String
    /// Path and query as on the wire, percent-encoded.
    public var target: String
    public var fields: HTTPFields
    /// The client's address without its port; empty on a Unix socket.
    public var peer: String
    /// Polled by whatever waits for long: `true` once the client has gone or the server waits no longer.
    public var isAbandoned: @Sendable () -> Bool
    /// Polled by responses without an end: `true` once the server is about to end; others may still end by themselves.
    public var isStopping: @Sendable () -> Bool

    public init(
        id: String = "", method: String, target: String, fields: HTTPFields = HTTPFields(),
        peer: String = "", isAbandoned: @escaping @Sendable () -> Bool = { false },
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.id, self.method, self.target) = (id, method, target)
        (self.fields, self.peer) = (fields, peer)
        (self.isAbandoned, self.isStopping) = (isAbandoned, isStopping)
    }

    /// The path as on the wire, percent-encoded, without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// What follows the first `?`, as on the wire; nil where there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }
}

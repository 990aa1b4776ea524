/// One event that one hook is still to be told.
public struct HookMessage: Equatable, Sendable {
    /// Its place among all.
    let sequence: Int64
    public let event: HookEvent
    /// The event in JSON, the same bytes at every try.
    public let body: String
    /// Seconds since 1970.
    public let createdAt: Double
    public let dueAt: Double
    /// Failed ones.
    public let tries: Int
}

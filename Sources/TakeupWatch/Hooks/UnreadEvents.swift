/// How many events could not be read: a later version has recorded them.
public struct UnreadEvents: Equatable, Sendable {
    /// For the first time; they are left to that version.
    public var kept = 0
    /// For too long, and dropped.
    public var dropped = 0
}

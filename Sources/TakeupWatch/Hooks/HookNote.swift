/// What is to be said about the delivery of events, once each.
public enum HookNote: Equatable, Sendable {
    case delivered(HookMessage)
    /// It is tried again after so long.
    case failed(HookMessage, reason: String, againInSeconds: Double)
    /// It is not tried any more.
    case givenUp(HookMessage, reason: String)
    /// The oldest events were dropped, because too many wait.
    case overflowed(events: Int)
    /// Another version of the program has recorded them.
    case unreadable(UnreadEvents)
    case unavailable(WatchError)
}

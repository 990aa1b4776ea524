/// How one try to tell a hook went.
public enum HookAnswer: Equatable, Sendable {
    case delivered
    /// It is tried again; not before `afterSeconds`, where the hook said so.
    case failed(String, afterSeconds: Double? = nil)
    /// The hook does not want this event, and never will.
    case refused(String)
    /// It was broken off because the daemon stops: nothing is known, and it does not count as a try.
    case stopped
}

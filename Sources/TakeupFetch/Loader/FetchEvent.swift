/// What happens in a session, as it happens.
public enum FetchEvent: Sendable, Equatable {
    /// A download begins or goes on.
    case began
    /// The head of an answer that was not a redirect.
    case response(status: Int)
    case progress(presentBytes: Int64, totalBytes: Int64?)
    /// A reader has waited for this byte for a while.
    case stalled(offset: Int64)
    /// What was here is gone; another version has begun.
    case versionChanged
    /// The disk takes no more: the bytes go to the readers without being kept.
    case passesThrough(FetchError)
    case retry(afterSeconds: Double, reason: FetchError)
    /// Every byte is here.
    case finished
    case failed(FetchError)
    /// The session has ended.
    case log(SessionLog)
}

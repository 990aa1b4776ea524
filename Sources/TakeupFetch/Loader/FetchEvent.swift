/// An event of a session, sent when it happens.
public enum FetchEvent: Sendable, Equatable {
    /// A download begins or resumes.
    case began
    /// The head of an answer arrived; redirects are not reported.
    case response(status: Int)
    case progress(presentBytes: Int64, totalBytes: Int64?)
    /// A reader has waited for this byte for at least a second.
    case stalled(offset: Int64)
    /// The stored bytes are gone; another version has begun.
    case versionChanged
    /// The disk accepts no more bytes; they go to the readers without being stored.
    case passesThrough(FetchError)
    case retry(afterSeconds: Double, reason: FetchError)
    /// Every byte has arrived.
    case finished
    case failed(FetchError)
    /// The session has ended.
    case log(SessionLog)
}

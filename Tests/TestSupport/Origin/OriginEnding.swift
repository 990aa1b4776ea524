/// How an answer of a `TestOrigin` ended.
public enum OriginEnding: String, Sendable, Equatable, Codable, Error {
    /// As it was meant to.
    case complete
    /// Cut by a fault, in good order.
    case cut
    /// Cut by a fault, with a reset.
    case reset
    /// The client closed the connection first.
    case clientLeft
    /// The origin was stopped.
    case stopped
    /// The content could not be read; `TestOrigin.problems` says why.
    case failed
}

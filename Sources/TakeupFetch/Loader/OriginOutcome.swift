internal import TakeupCurl

/// What one question to an origin came to.
enum OriginOutcome {
    /// A body came, to its end or not.
    case body(OriginBody.End)
    /// Somebody here wanted no more of it.
    case stopped
    /// The answer brought no bytes of the source.
    case verdict(OriginVerdict)
    /// No answer, or none that could be understood.
    case unreachable(CurlError)

    /// Nothing went wrong, as far as the answer tells.
    var isQuiet: Bool {
        switch self {
        case .stopped, .body(.whole): true
        case .body, .verdict, .unreachable: false
        }
    }
}

internal import TakeupCurl

/// The outcome of a request to an origin.
enum OriginOutcome {
    /// A body arrived, complete or not.
    case body(OriginBody.End)
    /// The receiver wanted no more of the body.
    case stopped
    /// The answer contained no bytes of the source.
    case verdict(OriginVerdict)
    /// The origin sent no answer, or Takeup cannot parse the answer.
    case unreachable(CurlError)

    /// Why nobody answered; nil if somebody did.
    var absence: FetchError? {
        switch self {
        case .unreachable(let error): .unanswered(error)
        case .verdict(.retry(_, let cause)): cause
        case .stopped, .body, .verdict: nil
        }
    }

    /// Whether nothing went wrong, as far as the answer tells.
    var isQuiet: Bool {
        switch self {
        case .stopped, .body(.whole): true
        case .body, .verdict, .unreachable: false
        }
    }
}

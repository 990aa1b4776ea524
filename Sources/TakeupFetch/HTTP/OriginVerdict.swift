/// What to do with an origin's answer.
public enum OriginVerdict: Equatable, Sendable {
    /// The body belongs to the version that is here, or is the first of all: keep it where it
    /// says, which need not be where it was asked for.
    case store(OriginBody)
    /// The body is the whole of another version: judge its first bytes, then drop what is here
    /// and keep this from byte 0.
    case startOver(OriginBody)
    /// The object is another one now and this body is of no use: drop what is here and ask
    /// again from byte 0.
    case changed
    /// The version that is here is still the origin's (304).
    case unchanged
    /// Nothing lies behind the object's end, which is here.
    case atEnd(length: Int64)
    /// Ask there: the text of `Location`, still to be resolved and vetted.
    case redirect(to: String)
    /// The origin cannot answer now. `seconds` is its own wish; `cause` is for when tries end.
    case retry(afterSeconds: Int64?, cause: FetchError)
    /// No further try helps.
    case refuse(FetchError)
}

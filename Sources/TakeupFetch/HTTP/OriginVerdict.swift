/// The action that an origin's answer calls for.
public enum OriginVerdict: Equatable, Sendable {
    /// Store the body at its own offset, which may differ from the requested one. The body is the
    /// first of all or matches the stored version.
    case store(OriginBody)
    /// The body is the whole object in another version. Judge its first bytes, drop the stored
    /// bytes, then store this body from byte 0.
    case startOver(OriginBody)
    /// The object has changed and this body is useless. Drop the stored bytes and ask again from
    /// byte 0.
    case changed
    /// The stored version is still the origin's version (304).
    case unchanged
    /// The object ends where the stored bytes end.
    case atEnd(length: Int64)
    /// The answer does not tell which part of the object its body is, if any. Ask again, for the
    /// whole object.
    case askWhole
    /// Ask at this address: the text of `Location`, not yet resolved or checked.
    case redirect(to: String)
    /// The origin cannot answer now. `afterSeconds` is the wait that it asks for. `cause` is the
    /// error once tries are used up.
    case retry(afterSeconds: Int64?, cause: FetchError)
    /// No retry can help.
    case refuse(FetchError)
}

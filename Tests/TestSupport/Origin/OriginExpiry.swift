/// That the address of an object of a `TestOrigin` is good for a while only, as a signed one is.
public struct OriginExpiry: Sendable {
    /// After how much use with one token; nil is never, only the token counts.
    public var after: OriginUse?
    /// The part of the query that must hold the token; nil asks for none.
    public var parameter: String?
    /// What is answered when it is over or the token is wrong.
    public var status: Int
    /// Whether the body under way is cut too when the bytes are used up.
    public var cutsInFlight: Bool

    /// The address ends after some use, until `TestOrigin.rotateToken`.
    public init(
        after: OriginUse?, parameter: String? = "token", status: Int = 403,
        cutsInFlight: Bool = true
    ) {
        self.after = after
        self.parameter = parameter
        self.status = status
        self.cutsInFlight = cutsInFlight
    }
}

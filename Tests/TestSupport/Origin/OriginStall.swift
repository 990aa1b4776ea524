/// A place where the bodies of an object of a `TestOrigin` stand still for a time.
public struct OriginStall: Sendable, Equatable {
    /// Before this byte of the object.
    public var offset: Int64
    /// For so long; infinity is until `TestOrigin.release`, the client's leaving or the stop.
    public var seconds: Double
    /// How often; nil is always.
    public var times: Int?

    /// Bodies stand still before a byte.
    public init(at offset: Int64, seconds: Double = .infinity, times: Int? = 1) {
        self.offset = offset
        self.seconds = seconds
        self.times = times
    }
}

/// A request that a `TestOrigin` has read and decided on.
struct OriginBegun {
    var answer: OriginAnswer
    var progress: OriginProgress
    var head: OriginHeadFaults
    /// Of the body, bytes per second; nil is as fast as can be.
    var bytesPerSecond: Int?
}

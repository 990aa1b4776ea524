/// The result of a successful request.
public struct TransferResult: Equatable, Sendable {
    /// The reason why the answer ended.
    public enum Ending: Equatable, Sendable {
        /// The whole answer arrived.
        case complete
        /// `onHead` or `onBody` wanted no more.
        case stoppedByCaller
    }

    public let head: ResponseHead
    /// Number of bytes delivered to `onBody`, without chunk framing.
    public let bodyBytes: Int64
    /// The address of the peer that answered.
    public let peer: IPAddress
    /// Seconds from the start to the answer's first byte.
    public let firstByteSeconds: Double
    public let seconds: Double
    public let ending: Ending
}

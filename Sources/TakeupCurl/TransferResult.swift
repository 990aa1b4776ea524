/// How a request went that did not fail.
public struct TransferResult: Equatable, Sendable {
    /// Who ended it.
    public enum Ending: Equatable, Sendable {
        /// The whole answer came.
        case complete
        /// `onHead` or `onBody` wanted no more.
        case stoppedByCaller
    }

    public let head: ResponseHead
    /// Given to `onBody`, without the framing of chunks.
    public let bodyBytes: Int64
    /// The address that answered.
    public let peer: IPAddress
    /// From the start to the answer's first byte.
    public let firstByteSeconds: Double
    public let seconds: Double
    public let ending: Ending
}

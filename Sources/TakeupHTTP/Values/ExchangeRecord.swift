/// One exchange for the access log.
public struct ExchangeRecord: Sendable {
    public var request: HTTPRequest
    /// Whether the handler was asked for a plan; `false` where the server refused the head.
    public var wasPlanned: Bool
    /// 0 where the client got no status.
    public var status: Int
    public var responseFields: HTTPFields
    public var receivedBytes: Int64
    /// Bytes of the body that were given to the socket.
    public var sentBytes: Int64
    /// From the request line to the end, in seconds.
    public var seconds: Double
    /// From the request line to the first byte of the response, in seconds.
    public var firstByteSeconds: Double
    /// Whether the response was sent to its end.
    public var isComplete: Bool

    public init(
        request: HTTPRequest, wasPlanned: Bool = true, status: Int,
        responseFields: HTTPFields = HTTPFields(), receivedBytes: Int64 = 0, sentBytes: Int64 = 0,
        seconds: Double = 0, firstByteSeconds: Double = 0, isComplete: Bool = true
    ) {
        (self.request, self.wasPlanned, self.status) = (request, wasPlanned, status)
        self.responseFields = responseFields
        (self.receivedBytes, self.sentBytes) = (receivedBytes, sentBytes)
        (self.seconds, self.firstByteSeconds) = (seconds, firstByteSeconds)
        self.isComplete = isComplete
    }
}

/// What happens with a request once its head has arrived.
public enum RequestPlan: Sendable {
    /// Answers without the body; a body that comes all the same is refused or dropped.
    case answer(HTTPResponse)
    /// Reads a body of at most so many bytes, and answers 413 to a longer one.
    case collect(upTo: Int, @Sendable ([UInt8]) -> HTTPResponse)
    /// Takes the body as it arrives.
    case receive(any BodyReceiver)
}

/// Takes the body of a request as it arrives, on the connection's own thread.
public protocol BodyReceiver: AnyObject, Sendable {
    /// Takes the next bytes.
    ///
    /// - Returns: nil to go on; a response that ends the request now.
    func receive(_ bytes: UnsafeRawBufferPointer) -> HTTPResponse?

    /// Called once all bytes have arrived.
    func finish() -> HTTPResponse

    /// Called instead of `finish` when the body ends early: the client has gone, or the server stops.
    func cancel()
}

/// Decides about requests; called on the connection's own thread, so that it may block.
public protocol HTTPHandler: Sendable {
    func plan(for request: HTTPRequest) -> RequestPlan

    /// Takes note of a finished exchange; must return soon.
    func note(_ exchange: ExchangeRecord)
}

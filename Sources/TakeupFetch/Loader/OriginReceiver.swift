internal import TakeupCurl

/// Receives an answer of an origin as it arrives, on the download's lane.
protocol OriginReceiver: AnyObject {
    /// Whether the answer has a body to receive.
    var wantsBody: Bool { get }
    /// The reason why no more can be received.
    var failure: FetchError? { get }
    /// More bytes arrived than were promised.
    var hasMore: Bool { get }

    /// Receives the head and the verdict on it.
    ///
    /// - Returns: Whether the body may follow.
    func begin(_ verdict: OriginVerdict, _ head: ResponseHead) -> Bool

    /// Receives a chunk of the body.
    ///
    /// - Returns: Whether more chunks may follow.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Finishes the body and returns the outcome.
    func finish(endedWell: Bool) throws(FetchError) -> OriginOutcome
}

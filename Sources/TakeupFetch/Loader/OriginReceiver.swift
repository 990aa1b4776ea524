internal import TakeupCurl

/// Takes an answer of an origin as it comes; belongs to the lane of the download.
protocol OriginReceiver: AnyObject {
    /// Whether the answer has bytes to take.
    var wantsBody: Bool { get }
    /// Why no more can be taken.
    var failure: FetchError? { get }
    /// More came than was promised.
    var hasMore: Bool { get }

    /// Takes the head and what was made of it.
    ///
    /// - Returns: Whether the body may come.
    func begin(_ verdict: OriginVerdict, _ head: ResponseHead) -> Bool

    /// Takes a piece of the body.
    ///
    /// - Returns: Whether more may come.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Says how the body ended.
    func finish(endedWell: Bool) throws(FetchError) -> OriginOutcome
}

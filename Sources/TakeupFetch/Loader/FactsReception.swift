internal import TakeupCurl

/// Receives an origin's facts about an object and ignores its bytes.
final class FactsReception: OriginReceiver {
    private let session: FetchSession
    private(set) var body: OriginBody?
    let failure: FetchError? = nil
    let hasMore = false

    init(_ session: FetchSession) {
        self.session = session
    }

    var version: EntityVersion? { body?.version }
    var wantsBody: Bool { body != nil }

    /// Returns whether the object goes on behind an end that nobody told; `false` if the answer does not say.
    func hasMore(behind end: Int64) -> Bool {
        guard let body else { return false }
        return body.version.length.map { $0 > end } ?? (body.isPart && body.start >= end)
    }

    func begin(_ verdict: OriginVerdict, _ head: ResponseHead) -> Bool {
        switch verdict {
        case .store(let body), .startOver(let body):
            self.body = body
            // A one-byte body is read to its end, so that the connection can be reused.
            return body.count == 1
        case .redirect, .askWhole, .changed, .unchanged, .atEnd, .retry, .refuse: return true
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        session.noteCollected(bytes.count)
        return true
    }

    func finish(endedWell: Bool) throws(FetchError) -> OriginOutcome { .body(.whole) }
}

internal import TakeupCurl

/// Receives an origin's facts about an object and ignores its bytes.
final class FactsReception: OriginReceiver {
    private let session: FetchSession
    private(set) var version: EntityVersion?
    let failure: FetchError? = nil
    let hasMore = false

    init(_ session: FetchSession) {
        self.session = session
    }

    var wantsBody: Bool { version != nil }

    func begin(_ verdict: OriginVerdict, _ head: ResponseHead) -> Bool {
        switch verdict {
        case .store(let body), .startOver(let body):
            version = body.version
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

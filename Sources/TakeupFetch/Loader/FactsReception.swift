internal import TakeupCurl

/// Takes what an origin says of an object, and none of its bytes.
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
            // One that was asked for leaves its connection for the next.
            return body.count == 1
        case .redirect, .changed, .unchanged, .atEnd, .retry, .refuse: return true
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        session.noteCollected(bytes.count)
        return true
    }

    func finish(endedWell: Bool) throws(FetchError) -> OriginOutcome { .body(.whole) }
}

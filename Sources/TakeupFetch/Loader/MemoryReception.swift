internal import TakeupCurl

/// Collects a small object or a part of one in memory, over as many answers as needed.
final class MemoryReception: OriginReceiver {
    private let session: FetchSession
    private let address: String
    private let start: Int64
    private let limitBytes: Int
    /// Offset after the wanted part; nil for the whole object.
    private let rangeEnd: Int64?
    /// Offset after the last wanted byte; nil while unknown.
    private var end: Int64?
    private var body: OriginBody?
    private var position: Int64 = 0
    private(set) var bytes: [UInt8] = []
    private(set) var version: EntityVersion?
    /// Whether nothing but the close of a connection told the end.
    private(set) var isOpenEnded = false
    private(set) var failure: FetchError?
    let hasMore = false

    init(_ session: FetchSession, _ address: String, _ range: Range<Int64>?, limitBytes: Int) {
        (self.session, self.address, self.limitBytes) = (session, address, limitBytes)
        (start, rangeEnd) = (range?.lowerBound ?? 0, range?.upperBound)
        end = rangeEnd
    }

    /// Offset of the next wanted byte.
    var next: Int64 { start + Int64(bytes.count) }
    var isComplete: Bool { end.map { next >= $0 } ?? false }
    var wantsBody: Bool { body != nil }

    func begin(_ verdict: OriginVerdict, _ head: ResponseHead) -> Bool {
        body = nil
        switch verdict {
        case .store(let body): self.body = body
        case .startOver(let body):
            (self.body, bytes, end) = (body, [], rangeEnd)
        case .redirect, .askWhole, .changed, .unchanged, .atEnd, .retry, .refuse: return true
        }
        version = body?.version
        position = body?.start ?? 0
        end = end ?? version?.length
        return true
    }

    func learn(end: Int64) { self.end = end }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        defer { position += Int64(piece.count) }
        guard position <= next else {
            failure = .invalidResponse("another range than was asked for", address: address)
            return false
        }
        let skipped = min(Int(next - position), piece.count)
        let room = Int(clamping: max(0, (end ?? .max) - next))
        bytes.append(contentsOf: piece.dropFirst(skipped).prefix(room))
        guard bytes.count <= limitBytes else {
            failure = .tooLarge(limitBytes: Int64(limitBytes), address: address)
            return false
        }
        session.noteCollected(piece.count)
        let promised = body.flatMap { body in body.count.map { body.start + $0 } }
        // If the body ends here by itself, let it end, so that the connection can be reused.
        return session.isNeeded && (!isComplete || promised == position + Int64(piece.count))
    }

    func finish(endedWell: Bool) throws(FetchError) -> OriginOutcome {
        guard let body else { return .stopped }
        if endedWell, body.count == nil, end == nil, position >= next {
            (end, isOpenEnded) = (next, body.version.isOpenEnded == true)
        }
        return isComplete ? .body(.whole) : .body(.cut(at: next))
    }
}

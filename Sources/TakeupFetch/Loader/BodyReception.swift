internal import TakeupCurl

/// Receives the body of one answer: judges its first bytes, binds the file to its version and
/// stores it.
///
/// Use it only on the download's lane.
final class BodyReception: OriginReceiver {
    private let session: FetchSession
    private let ask: OriginRequest
    /// Called when the transfer pauses to wait for its readers.
    private let onHold: () -> Void
    private var body: OriginBody?
    private var startsOver = false
    private var contentType: String?
    /// The digests that the answer states for the whole object.
    private var stated = StatedDigests()
    /// The first bytes, collected until they are enough for a judgement; nil if no judgement is
    /// due.
    private var prefix: [UInt8]?
    private var generation: Int64?
    private var received: Int64 = 0
    private(set) var failure: FetchError?
    /// More bytes arrived than were promised.
    private(set) var hasMore = false
    /// The body is a playlist; none of its bytes are stored.
    private(set) var isPlaylist = false

    init(
        _ session: FetchSession, _ ask: OriginRequest, onHold: @escaping () -> Void = {}
    ) {
        (self.session, self.ask, self.onHold) = (session, ask, onHold)
    }

    /// Whether the answer contains bytes of the source.
    var wantsBody: Bool { body != nil }

    /// The version of the stored bytes; nil until bytes of this answer are stored.
    var boundVersion: EntityVersion? { generation == nil ? nil : body?.version }

    /// Receives the head of an answer and the verdict on it.
    ///
    /// - Returns: Whether the body may follow.
    func begin(_ verdict: OriginVerdict, _ head: ResponseHead) -> Bool {
        switch verdict {
        case .store(let body):
            self.body = body
        case .startOver(let body):
            (self.body, startsOver) = (body, true)
        case .unchanged:
            session.noteAge(head)
            session.note(
                StatedDigests(head, isWhole: false), of: session.file.status.generation)
            return true
        case .redirect, .askWhole, .changed, .atEnd, .retry, .refuse:
            return true
        }
        session.noteAge(head)
        contentType = head["content-type"]
        let isWhole = body?.isPart == false
        stated = StatedDigests(head, isWhole: isWhole || body?.isWhole == true)
        // A whole object instead of a part may mean that the version has changed.
        let hasIfRange =
            !ask.isConditional && ask.version?.ifRange(session.settings.judge.tagPolicy) != nil
        if body?.start == 0, isWhole || ask.version == nil { prefix = [] }
        let ignoresRange =
            isWhole && !(startsOver && hasIfRange) && (ask.offset > 0 || ask.end != nil)
        session.noteAnswer(
            status: head.status, contentType: contentType, at: body?.start ?? 0,
            honoursRanges: isWhole ? (ignoresRange ? false : nil) : true,
            end: body.flatMap { body in body.count.map { body.start + $0 } })
        return true
    }

    /// Receives a chunk of the body.
    ///
    /// - Returns: Whether more chunks may follow.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let body else { return false }
        let room = (body.count ?? .max) - received
        hasMore = Int64(bytes.count) > room
        let wanted = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(clamping: room)))
        received += Int64(wanted.count)
        // Count the bytes before any reader can see them.
        session.noteCollected(wanted.count)
        let isEnough = received >= Int64(MediaSignature.prefixBytes) || received == body.count
        do throws(FetchError) {
            try requireWithinLimit(body.start + received)
            if prefix != nil {
                prefix?.append(contentsOf: wanted)
                if isEnough { try openPrefix() }
            } else {
                try store(wanted, at: body.start + received - Int64(wanted.count))
            }
        } catch {
            failure = error
            return false
        }
        // First bytes that nobody has judged yet are no answer.
        let isWanted = session.noteBytes(wanted.count, at: body.start + received) || prefix != nil
        return isWanted && !hasMore && !isPlaylist && session.holdsAnswer(onHold: onHold)
    }

    /// Finishes the body and returns how it ended.
    ///
    /// - Throws: `FetchError` if the first bytes are not media or cannot be stored.
    func finish(endedWell: Bool) throws(FetchError) -> OriginOutcome {
        guard let body else { return .stopped }
        let end = body.end(received: received + (hasMore ? 1 : 0), endedWell: endedWell)
        if prefix != nil {
            switch end {
            case .whole, .length:
                guard received > 0 else {
                    throw .notMedia("an empty body", address: session.file.address)
                }
                try openPrefix()
            case .cut: return .body(.cut(at: body.start))
            case .grown: break
            }
        }
        return .body(end)
    }

    private func requireWithinLimit(_ end: Int64) throws(FetchError) {
        let limit = min(session.settings.judge.limitBytes, BlockMap.mostBytes)
        guard end <= limit else {
            throw .tooLarge(limitBytes: limit, address: session.file.address)
        }
    }

    /// Judges the first bytes and stores them.
    private func openPrefix() throws(FetchError) {
        guard let bytes = prefix else { return }
        prefix = nil
        switch MediaSignature.judge(bytes, contentType: contentType) {
        case .refuse(let reason):
            guard session.hasPlayers, !MediaSignature.isPage(bytes) else {
                throw .notMedia(reason, address: session.file.address)
            }
        case .media(.playlist):
            isPlaylist = true
            return
        case .media, .unknown: break
        }
        var failure: FetchError?
        bytes.withUnsafeBytes { bytes in
            do throws(FetchError) {
                try store(bytes, at: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func store(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FetchError) {
        do throws(FetchError) {
            try keep(bytes, at: offset)
        } catch {
            // The transfer continues without the disk if the disk fails.
            session.awaitReaders(after: error, behind: offset, onHold: onHold)
            guard session.pass(after: error) else { throw error }
            try keep(bytes, at: offset)
        }
        session.makeRoom(behind: offset + Int64(bytes.count), onHold: onHold)
    }

    private func keep(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FetchError) {
        guard let body else { return }
        if generation == nil {
            // The store cannot tell two versions apart if neither has validators, so discard the
            // old bytes first.
            if startsOver { try session.discard() }
            let bound = try session.bind(body.version)
            generation = bound
            session.note(stated, of: bound)
            try session.requireRoom(for: body.version.length)
        }
        guard let generation else { return }
        try session.requireKept(max(body.version.length ?? 0, offset + Int64(bytes.count)))
        try session.file.write(bytes, at: offset, generation: generation, leavesCommits: true)
        try session.commits.commitIfDue(session.file, mayEvict: session.isLive)
    }
}

internal import Foundation
internal import TakeupCurl
internal import TakeupFields
internal import TakeupFiles
internal import TakeupLanes

/// Runs the download loop of a session's lane: requests the next wanted bytes until nobody wants
/// more.
final class Download {
    /// Seconds between two checks for bytes that another process has written.
    private static let followSeconds = 0.1

    let settings: FetchSettings
    let origin: HTTPOrigin
    private(set) var address: WebAddress
    /// The pieces of the stream, if the source is a playlist.
    var pieces: PlaylistPieces?
    /// The known facts of the origin's version; more than the store keeps.
    private var entity: EntityVersion?
    /// The file's generation when `entity` was learnt.
    private var generation: Int64 = -1
    var policy: OriginRetryPolicy
    private var isRefreshed = false
    /// The origin refused the address, and no other address was available.
    private var isRefused = false
    /// The piece whose refusal made the playlist be read again; nil once it is here.
    var refusedPiece: Int?
    /// Time at which the other process last added bytes, in monotonic seconds.
    private var followedAt: Double?
    /// Number of stored and passed bytes at the last check; a higher number is progress.
    private var presentBytes: Int64 = 0
    /// Number of consecutive version changes that brought no more bytes than before the first
    /// change.
    private var changes = 0
    private var lostBytes: Int64 = 0
    /// The last answer may have been a part: the next request is for the whole object.
    private var asksWhole = false

    init(address: WebAddress, settings: FetchSettings) {
        (self.address, self.settings, policy) = (address, settings, settings.retry)
        origin = HTTPOrigin(settings)
    }

    func run(_ session: FetchSession) {
        (policy, isRefreshed, refusedPiece) = (settings.retry, false, nil)
        origin.budget = TimeBudget(seconds: settings.totalSeconds)
        defer { origin.leaveTurn() }
        let status = session.file.status
        presentBytes = status.present.byteCount + status.passedBytes
        (changes, lostBytes, followedAt, asksWhole) = (0, 0, nil, false)
        session.hub.send(.began)
        while true {
            do throws(FetchError) {
                while try step(session) {}
                return session.settle()
            } catch {
                // Pieces of a playlist cannot continue without the disk.
                if session.fail(error, mayPass: pieces == nil) { return }
                _ = session.pass(after: error)
            }
        }
    }

    /// - Returns: `false` if nobody wants more.
    private func step(_ session: FetchSession) throws(FetchError) -> Bool {
        let status = session.file.status
        if !status.isWriter { return try follow(session) }
        if pieces != nil { return try stepPlaylist(session) }
        adopt(status)
        switch session.nextStep(hasVersion: entity != nil) {
        case .end: return false
        case .follow: return true
        case .check where asksWhole, .fetch where asksWhole:
            asksWhole = false
            try perform(
                OriginRequest(address: address, offset: 0, version: entity, isRanged: false),
                session)
        case .check:
            let ask = OriginRequest(
                address: address, offset: 0, end: 1, version: entity, isConditional: true)
            try perform(ask, session)
        case .fetch(let start, let end):
            try perform(
                OriginRequest(address: address, offset: start, end: end, version: entity), session)
        }
        return true
    }

    /// Adopts the version in the store, unless more facts about this version are already known.
    private func adopt(_ status: SourceStatus) {
        if status.generation != generation { entity = nil }
        generation = status.generation
        guard let stored = status.version else {
            entity = nil
            return
        }
        if entity == nil { entity = stored.entity }
        if let length = stored.length { entity?.length = length }
    }

    private func keep(_ version: EntityVersion, _ session: FetchSession) {
        (entity, generation) = (version, session.file.status.generation)
    }

    private func perform(_ ask: OriginRequest, _ session: FetchSession) throws(FetchError) {
        var ask = ask
        if let offered = takeOfferedWhenRefused(session) { ask.address = offered }
        let before = session.file.status
        // A transfer that waits for its readers gives up its turn, so that others can use the host.
        let reception = BodyReception(session, ask) { [origin] in origin.leaveTurn() }
        guard let outcome = exchange(ask, reception, session) else { return }
        if reception.isPlaylist { return try beginPlaylist(session) }
        if let version = reception.boundVersion { keep(version, session) }
        if before.version != nil, session.file.status.generation != before.generation {
            try noteChange(from: before, session)
        }
        let hasGrown = noteProgress(session)
        do throws(FetchError) {
            try act(on: outcome.get(), session)
            let isAnswered = ask.isConditional && session.isTrusted
            if !hasGrown, !isAnswered, case .success(let outcome) = outcome, outcome.isQuiet,
                !session.hasYielded
            {
                let address = session.file.address
                try again(.invalidResponse("no byte that was asked for", address: address), session)
            }
        } catch {
            if session.pass(after: error) { return }
            // Where bytes of the media are here, a page is one of an origin in trouble, and may pass.
            if error.mayPass, presentBytes > 0 { return try again(error, session) }
            try refresh(after: error, session)
        }
    }

    /// Sends one request to the origin.
    ///
    /// - Returns: nil if nobody wants the bytes any more.
    func exchange(
        _ ask: OriginRequest, _ reception: any OriginReceiver, _ session: FetchSession
    ) -> Result<OriginOutcome, FetchError>? {
        // A newly arrived reader gets a full set of tries.
        if session.isTakenOver() { policy = settings.retry }
        let cancellation = TransferCancellation()
        guard session.begin(ask, cancellation) else { return nil }
        let began = FetchSession.monotonicSeconds
        let now = HTTPDate(secondsSince1970: Int64(session.file.clock()))
        let outcome: Result<OriginOutcome, FetchError> = Result { () throws(FetchError) in
            try origin.perform(
                ask, now: now, cancellation: cancellation, isWanted: { session.isInLine }, reception
            )
        }
        if !origin.hasAsked { session.noteUnasked() }
        session.ended(
            peer: origin.peer, firstByteSeconds: origin.firstByteSeconds,
            seconds: FetchSession.monotonicSeconds - began - origin.waitedSeconds)
        return outcome
    }

    /// - Returns: Whether more bytes are present than before.
    func noteProgress(_ session: FetchSession) -> Bool {
        let status = session.file.status
        let bytes = status.present.byteCount + status.passedBytes
        defer { presentBytes = bytes }
        policy.tried(bringing: max(0, bytes - presentBytes))
        guard bytes > presentBytes else { return false }
        (isRefreshed, isRefused) = (false, false)
        if bytes > lostBytes { (changes, lostBytes) = (0, 0) }
        return true
    }

    private func act(on outcome: OriginOutcome, _ session: FetchSession) throws(FetchError) {
        switch outcome {
        case .stopped, .body(.whole): break
        case .body(.length(let length)):
            if try isEnd(length, session) { try learn(length, session) }
        case .body(.cut(let offset)):
            try again(.unreachable("cut at byte \(offset)", address: session.file.address), session)
        case .body(.grown), .verdict(.changed): try startOver(session)
        case .verdict(.atEnd(let length)): try learn(length, session)
        case .verdict(.unchanged): session.trust()
        case .verdict(.retry(let seconds, let cause)): try again(cause, after: seconds, session)
        case .verdict(.refuse(let error)): throw error
        case .unreachable(let error):
            try again(.unanswered(error), session)
        case .verdict(.askWhole): asksWhole = true
        case .verdict(.store), .verdict(.startOver), .verdict(.redirect): break
        }
    }

    /// Asks for what is behind an end that only the close of a connection told; an origin that does not say is believed.
    ///
    /// - Returns: `false` if the object goes on there, or if nobody wants to know any more.
    private func isEnd(_ length: Int64, _ session: FetchSession) throws(FetchError) -> Bool {
        guard entity?.isOpenEnded == true else { return true }
        var tries = settings.retry
        while true {
            let reception = FactsReception(session)
            let ask = OriginRequest(address: address, offset: length, end: length + 1)
            guard let outcome = exchange(ask, reception, session) else { return false }
            if reception.hasMore(behind: length) {
                let cut = "cut at byte \(length)"
                try again(.unreachable(cut, address: session.file.address), session)
                return false
            }
            // What closed the connection may be a restart.
            guard case .success(let answer) = outcome, let cause = answer.absence,
                case .retry(let seconds) = tries.failed(random: .random(in: 0...1))
            else { return true }
            session.rest(seconds: seconds, cause)
        }
    }

    private func learn(_ length: Int64, _ session: FetchSession) throws(FetchError) {
        guard var version = entity else {
            throw .notMedia("an empty body", address: session.file.address)
        }
        version.length = length
        _ = try session.bind(version)
        keep(version, session)
        session.wakeMet()
    }

    /// Drops the stored bytes and starts again.
    func startOver(_ session: FetchSession) throws(FetchError) {
        let before = session.file.status
        entity = nil
        try session.discard()
        try noteChange(from: before, session)
        try again(.changed(address: session.file.address), session)
    }

    /// Counts a change of version; fails after too many changes without progress.
    private func noteChange(
        from before: SourceStatus, _ session: FetchSession
    ) throws(FetchError) {
        lostBytes = max(lostBytes, before.present.byteCount)
        (changes, presentBytes) = (changes + 1, 0)
        guard changes < policy.maximumTries else {
            throw .changed(address: session.file.address)
        }
    }

    func again(
        _ cause: FetchError, after seconds: Int64? = nil, _ session: FetchSession
    ) throws(FetchError) {
        let random = Double.random(in: 0...1)
        switch policy.failed(originSeconds: seconds, random: random) {
        case .giveUp: throw cause
        case .retry(let seconds):
            let began = FetchSession.monotonicSeconds
            session.rest(seconds: min(seconds, origin.budget.leftSeconds ?? seconds), cause)
            origin.budget.spend(FetchSession.monotonicSeconds - began)
        }
    }

    /// Takes an address that was offered after the current one was refused.
    func takeOfferedWhenRefused(_ session: FetchSession) -> WebAddress? {
        guard isRefused, let offered = session.takeOffered() else { return nil }
        (address, isRefreshed, isRefused) = (offered, false, false)
        return offered
    }

    /// Replaces an expired address by an offered or refreshed one.
    func refresh(after error: FetchError, _ session: FetchSession) throws(FetchError) {
        guard error.isEndOfRight else { throw error }
        if let offered = session.takeOffered(), offered != address {
            address = offered
            return
        }
        guard !isRefreshed, let next = settings.refresh?(address) else {
            isRefused = true
            throw error
        }
        isRefreshed = true
        address = next
    }

    /// Follows the bytes that another process writes; takes over when that process is gone.
    private func follow(_ session: FetchSession) throws(FetchError) -> Bool {
        guard session.nextStep(hasVersion: true) != .end else { return false }
        if try session.file.takeOver() { return true }
        let now = FetchSession.monotonicSeconds
        if try session.file.refresh() || followedAt == nil { followedAt = now }
        guard now - (followedAt ?? now) < settings.limits.lowSpeedSeconds else {
            followedAt = nil
            throw .unreachable(
                "another process fetches it and does not go on", address: session.file.address)
        }
        session.followed()
        session.rest(seconds: Self.followSeconds, nil)
        return true
    }
}

internal import Foundation
internal import TakeupCurl
internal import TakeupFiles
internal import TakeupLanes

/// The loop of a session's lane: asks the origin for what is wanted next, until nobody wants anything.
final class Download {
    /// Between two looks at what another process has written.
    private static let followSeconds = 0.1

    let settings: FetchSettings
    let origin: HTTPOrigin
    private(set) var address: WebAddress
    /// Set once the source turned out to be a playlist.
    var pieces: PlaylistPieces?
    /// What is known of the origin's version; more than the store keeps.
    private var entity: EntityVersion?
    /// The file's when `entity` was learnt.
    private var generation: Int64 = -1
    var policy: OriginRetryPolicy
    private var isRefreshed = false
    /// The right to the address has ended, and there was no other.
    private var isRefused = false
    /// The playlist was read again since its last piece, because one was refused.
    var isReread = false
    /// When the other process has brought something last.
    private var followedAt: Double?
    /// What is here; more of it is progress.
    private var presentBytes: Int64 = 0
    /// Changes of version since there was more here than before the first of them.
    private var changes = 0
    private var lostBytes: Int64 = 0

    init(address: WebAddress, settings: FetchSettings) {
        (self.address, self.settings, policy) = (address, settings, settings.retry)
        origin = HTTPOrigin(settings)
    }

    func run(_ session: FetchSession) {
        (policy, isRefreshed, isReread) = (settings.retry, false, false)
        origin.budget = TimeBudget(seconds: settings.totalSeconds)
        defer { origin.leaveTurn() }
        let status = session.file.status
        presentBytes = status.present.byteCount + status.passedBytes
        (changes, lostBytes, followedAt) = (0, 0, nil)
        session.hub.send(.began)
        while true {
            do throws(FetchError) {
                while try step(session) {}
                return session.settle()
            } catch {
                // Pieces of a playlist cannot go on without the disk.
                if session.fail(error, mayPass: pieces == nil) { return }
                _ = session.pass(after: error)
            }
        }
    }

    /// - Returns: `false` when nothing is wanted any more.
    private func step(_ session: FetchSession) throws(FetchError) -> Bool {
        let status = session.file.status
        if !status.isWriter { return try follow(session) }
        if pieces != nil { return try stepPlaylist(session) }
        adopt(status)
        switch session.nextStep(hasVersion: entity != nil) {
        case .end: return false
        case .follow: return true
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

    /// Takes the version that the store holds, unless more is known of the same one.
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
        // A transfer that waits for its readers keeps nobody from the host.
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
            if !hasGrown, !ask.isConditional, case .success(let outcome) = outcome, outcome.isQuiet,
                !session.hasYielded
            {
                let address = session.file.address
                try again(.invalidResponse("no byte that was asked for", address: address), session)
            }
        } catch {
            if session.pass(after: error) { return }
            try refresh(after: error, session)
        }
    }

    /// Asks the origin once.
    ///
    /// - Returns: nil when nobody wants it any more.
    func exchange(
        _ ask: OriginRequest, _ reception: any OriginReceiver, _ session: FetchSession
    ) -> Result<OriginOutcome, FetchError>? {
        // Who comes has tries of its own.
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

    /// - Returns: Whether there is more here than before.
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
        case .body(.length(let length)): try learn(length, session)
        case .body(.cut(let offset)):
            try again(.unreachable("cut at byte \(offset)", address: session.file.address), session)
        case .body(.grown), .verdict(.changed): try startOver(session)
        case .verdict(.atEnd(let length)): try learn(length, session)
        case .verdict(.unchanged): session.trust()
        case .verdict(.retry(let seconds, let cause)): try again(cause, after: seconds, session)
        case .verdict(.refuse(let error)): throw error
        case .unreachable(let error):
            try again(.unreachable("\(error)", address: error.subject), session)
        case .verdict(.store), .verdict(.startOver), .verdict(.redirect): break
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

    /// Drops what is here.
    func startOver(_ session: FetchSession) throws(FetchError) {
        let before = session.file.status
        entity = nil
        try session.discard()
        try noteChange(from: before, session)
        try again(.changed(address: session.file.address), session)
    }

    /// Another version has begun; too many times without more than before are a failure.
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

    /// Takes the address that somebody has brought since the one in use was refused.
    func takeOfferedWhenRefused(_ session: FetchSession) -> WebAddress? {
        guard isRefused, let offered = session.takeOffered() else { return nil }
        (address, isRefreshed, isRefused) = (offered, false, false)
        return offered
    }

    /// Takes a new address where the right to the old one has ended.
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

    /// Looks at what another process writes, and goes on in its place when it is gone.
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

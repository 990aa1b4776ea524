internal import Dispatch
internal import TakeupCurl
internal import TakeupFiles
internal import TakeupLanes

/// What the download tells the session, and asks it; called on its lane.
extension FetchSession {
    /// Between two events of progress.
    private static let tellSeconds = 0.25

    enum Step: Equatable {
        /// Nobody wants anything.
        case end
        /// Another process writes.
        case follow
        /// Ask whether what is here is still the origin's.
        case check
        case fetch(from: Int64, to: Int64?)
    }

    /// Decides what is done next; after `end` the next who waits starts the lane anew.
    func nextStep(hasVersion: Bool) -> Step {
        let (step, met) = state.withLock { state in
            // Taken here: who registers behind this look finds the lane at its end, and starts it.
            let status = file.status
            let met = state.takeMet(status, address: file.address)
            let step = state.step(status, settings, hasVersion: hasVersion)
            if step == .end { state.isRunning = false }
            return (step, met)
        }
        for (waiter, result) in met { waiter.wake(result) }
        return step
    }

    /// Notes a request.
    ///
    /// - Returns: `false` when nobody wants it any more.
    func begin(_ ask: OriginRequest, _ cancellation: TransferCancellation) -> Bool {
        state.withLock { state in
            guard state.isNeeded else { return false }
            state.phase = .fetching
            state.log.originRequests += 1
            state.running = Running(
                position: ask.offset, end: ask.end, cancellation: cancellation)
            return true
        }
    }

    /// Whether a request that waits for its turn is still wanted; if not, it ends on purpose.
    var isInLine: Bool {
        state.withLock { state in
            guard !state.isNeeded else { return true }
            state.running?.hasYielded = true
            return false
        }
    }

    /// Notes that the request under way has not been sent.
    func noteUnasked() {
        state.withLock { $0.log.originRequests -= 1 }
    }

    /// Notes an answer with bytes.
    func noteAnswer(
        status: Int, contentType: String?, at start: Int64, ignoresRange: Bool, end: Int64?
    ) {
        state.withLock { state in
            state.running?.position = start
            state.running?.end = end
            state.running?.answeredAt = Self.monotonicSeconds
            state.contentType =
                contentType.map { MediaSignature.mediaType($0) } ?? state.contentType
            if ignoresRange { state.honoursRanges = false }
            if status == 206 { state.honoursRanges = true }
        }
        hub.send(.response(status: status))
    }

    /// Notes bytes that were stored, and wakes who waited for them.
    ///
    /// - Returns: Whether more of this answer is wanted.
    func noteBytes(_ count: Int, at end: Int64) -> Bool {
        let status = file.status
        let now = Self.monotonicSeconds
        let (met, goesOn, isTold) = state.withLock { state in
            let isTold = now - state.toldAt >= Self.tellSeconds
            if isTold { state.toldAt = now }
            state.running?.position = end
            state.running?.bytes += Int64(count)
            let met =
                state.waiters.isEmpty
                ? [] : state.takeMet(status, address: file.address)
            if !state.isNeeded && !state.keepsAnswer || state.yields(status, settings, now: now) {
                state.running?.hasYielded = true
            }
            return (met, state.goesOn(status, settings, now: now), isTold)
        }
        if isTold { tellProgress(status) }
        for (waiter, result) in met { waiter.wake(result) }
        return goesOn
    }

    /// Notes that a request is over.
    func ended(peer: IPAddress?, firstByteSeconds: Double?, seconds: Double) {
        state.withLock { state in
            if let running = state.running {
                state.schedule.ended(at: running.position, hasYielded: running.hasYielded)
                state.speeds.note(bytes: running.bytes, seconds: seconds)
            }
            state.running = nil
            state.log.originSeconds += seconds
            state.log.ttfbSeconds = state.log.ttfbSeconds ?? firstByteSeconds
            if let peer {
                let text = "\(peer)"
                if let known = state.log.peerAddress, known != text { state.log.peerChanges += 1 }
                state.log.peerAddress = text
            }
        }
        wakeMet()
        noteChecked()
        tellProgress(file.status)
    }

    private func tellProgress(_ status: SourceStatus) {
        guard hub.hasSubscribers else { return }
        hub.send(.progress(presentBytes: status.present.byteCount, totalBytes: status.length))
    }

    /// Whether the last transfer was stopped on purpose.
    var hasYielded: Bool { state.withLock { $0.schedule.hasYielded } }

    /// An address that somebody brought since it was asked last.
    func takeOffered() -> WebAddress? {
        state.withLock { state in
            defer { state.offered = nil }
            return state.offered
        }
    }

    /// Says which version the bytes are of that come now.
    ///
    /// - Returns: The generation to write to.
    func bind(_ entity: EntityVersion) throws(FetchError) -> Int64 {
        let before = file.status
        var version = SourceVersion(entity)
        // The store keeps the words of the first answer; the judge decides what agrees with them.
        if let known = before.version, let kept = known.entity,
            kept.matches(entity, settings.judge.tagPolicy)
        {
            version.validator = known.validator
        }
        if try file.bind(version) == .startedOver { noteNewVersion(before) }
        trust()
        return file.status.generation
    }

    func discard() throws(FetchError) {
        let before = file.status
        try file.discard()
        noteNewVersion(before)
    }

    func noteNewVersion(_ before: SourceStatus) {
        guard before.version != nil else { return }
        state.withLock { state in
            state.log.versionChanges += 1
            state.log.discardedBytes += before.present.byteCount
        }
        hub.send(.versionChanged)
        wakeMet()
    }

    /// What is here is the origin's.
    func trust() {
        state.withLock { ($0.isTrusted, $0.isConfirmed) = (true, true) }
        wakeMet()
    }

    /// Keeps for later sessions when the origin was asked last, and what it states, once.
    private func noteChecked() {
        let (isNew, type, stated) = state.withLock { state in
            let isNew = !state.isNoted || state.stated != state.notedStated
            defer { (state.isNoted, state.notedStated) = (state.isConfirmed, state.stated) }
            return (state.isConfirmed && isNew, state.contentType, state.stated)
        }
        guard isNew else { return }
        let now = file.clock()
        // Where this cannot be written, the origin is asked again next time.
        _ = try? store.change(file.key) { entry in
            (entry.checkedAt, entry.contentType) = (now, type)
            entry.stated = stated ?? entry.stated
        }
    }

    /// Takes what another process did for what the origin has.
    func followed() {
        if file.status.version != nil { state.withLock { $0.isTrusted = true } }
        state.withLock { $0.phase = .following }
        wakeMet()
    }

    /// Waits, but not longer than somebody wants something, nor in the way of who comes to a prefetch.
    func rest(seconds: Double, _ cause: FetchError?) {
        if let cause {
            state.withLock { state in
                state.phase = .retrying
                state.log.retries += 1
            }
            hub.send(.retry(afterSeconds: seconds, reason: cause))
        }
        let end = Self.monotonicSeconds + seconds
        while state.withLock({ $0.isNeeded && !$0.isWaitedForAnew }) {
            let left = end - Self.monotonicSeconds
            guard left > 0, pause.wait(timeout: .now() + left) == .success else { return }
        }
    }

    /// Nothing is wanted any more: what came stays.
    func settle() {
        commit()
        let isComplete = file.status.isComplete
        state.withLock { state in
            guard !state.isRunning, !state.isClosed else { return }
            state.phase = isComplete ? .complete : .idle
        }
        if isComplete { hub.send(.finished) }
    }

    /// Gives a failure to everybody who waits, once; who comes later tries anew.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - mayPass: Whether the bytes can go on without the disk.
    /// - Returns: `false` when somebody has come meanwhile for whom they shall.
    func fail(_ error: FetchError, mayPass: Bool) -> Bool {
        commit()
        let ended: (failed: [ReadWaiter], goesOn: Bool)? = state.withLock { state in
            if mayPass, canPass(after: error, state) { return nil }
            // Who came to a prefetch that fails has tries of their own.
            let live = state.beganAhead ? state.waiters.filter { !$0.isPrefetch } : []
            state.isRunning = false
            if live.isEmpty { (state.lastFailure, state.phase) = (error, .failed) }
            state.running = nil
            let failed = state.waiters.filter { waiter in !live.contains { $0 === waiter } }
            state.waiters = live
            return (failed, !live.isEmpty)
        }
        guard let ended else { return false }
        if error.comesFromOrigin { file.goesIfEmpty(from: store) }
        for waiter in ended.failed { waiter.wake(.failure(error)) }
        if ended.goesOn { start() } else { hub.send(.failed(error)) }
        return true
    }

    private func commit() {
        guard file.status.isWriter else { return }
        // What cannot be committed is fetched again after the next opening; reads go on.
        try? commits.wait()
        try? file.commit()
    }
}

extension FetchSession.State {
    /// The first request tells what the source is; who waits far away is served next.
    private var firstEnd: Int64 {
        let wantsMore = waiters.contains { waiter in
            switch waiter.goal {
            case .byte(let offset): offset <= FetchSchedule.nearBytes
            case .known: false
            case .whole: true
            }
        }
        return wantsMore ? FetchSchedule.firstBytes : FetchSchedule.quantumBytes
    }

    fileprivate mutating func step(
        _ status: SourceStatus, _ settings: FetchSettings, hasVersion: Bool
    ) -> FetchSession.Step {
        guard isNeeded else { return .end }
        guard status.isWriter else { return waiters.isEmpty ? .end : .follow }
        if hasVersion, !isTrusted, !status.present.isEmpty { return .check }
        // A version of which nothing is here needs no trust.
        if status.present.isEmpty, status.version == nil { isTrusted = true }
        // A version whose bytes have all been dropped is confirmed by the first that come.
        if status.version == nil || !hasVersion || status.present.isEmpty && !isTrusted {
            return .fetch(from: 0, to: firstEnd)
        }
        switch schedule.next(demand(status, settings)) {
        case .rest: return .end
        case .fetch(let start, let end): return .fetch(from: start, to: end)
        }
    }
}

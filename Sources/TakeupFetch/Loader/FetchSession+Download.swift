internal import TakeupCurl
internal import TakeupFiles
internal import TakeupLanes

/// The interface between the download and its session; call it on the download's lane.
extension FetchSession {
    /// Seconds between two progress events.
    private static let tellSeconds = 0.25

    enum Step: Equatable {
        /// Nobody wants anything.
        case end
        /// Another process writes the file.
        case follow
        /// Ask the origin whether the stored bytes are still current.
        case check
        case fetch(from: Int64, to: Int64?)
    }

    /// Decides the next step; after `end`, the next waiter starts the lane again.
    func nextStep(hasVersion: Bool) -> Step {
        let (step, met) = state.withLock { state in
            // Decide under the lock: a later waiter then sees that the lane has ended, and starts
            // it.
            let status = file.status
            let met = state.takeMet(status, address: file.address)
            let step = state.step(status, settings, hasVersion: hasVersion)
            if step == .end { state.isRunning = false }
            return (step, met)
        }
        for (waiter, result) in met { waiter.wake(result) }
        return step
    }

    /// Records that a request begins.
    ///
    /// - Returns: `false` if nobody wants the request any more.
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

    /// Whether a request that waits for its turn is still wanted; if not, it is marked as stopped
    /// on purpose.
    var isInLine: Bool {
        state.withLock { state in
            guard !state.isNeeded else { return true }
            state.running?.hasYielded = true
            return false
        }
    }

    /// Records that the current request was never sent.
    func noteUnasked() {
        state.withLock { $0.log.originRequests -= 1 }
    }

    /// Records an answer that has a body; `honoursRanges` is nil if it does not tell.
    func noteAnswer(
        status: Int, contentType: String?, at start: Int64, honoursRanges: Bool?, end: Int64?
    ) {
        state.withLock { state in
            state.running?.position = start
            state.running?.end = end
            state.running?.answeredAt = Self.monotonicSeconds
            state.contentType =
                contentType.map { MediaSignature.mediaType($0) } ?? state.contentType
            state.honoursRanges = honoursRanges ?? state.honoursRanges
        }
        hub.send(.response(status: status))
    }

    /// Records stored bytes and wakes the readers that waited for them.
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

    /// Records that a request has ended.
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

    /// Takes the address that was offered since the last call; nil if there is none.
    func takeOffered() -> WebAddress? {
        state.withLock { state in
            defer { state.offered = nil }
            return state.offered
        }
    }

    /// Binds the file to the version of the bytes that follow.
    ///
    /// - Returns: The generation to write to.
    func bind(_ entity: EntityVersion) throws(FetchError) -> Int64 {
        let before = file.status
        var version = SourceVersion(entity)
        // The store keeps the first answer's validators; the judge decides whether later answers
        // agree.
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

    /// Marks the stored bytes as current at the origin.
    func trust() {
        let now = file.clock()
        state.withLock { ($0.isTrusted, $0.isConfirmed, $0.checkedAt) = (true, true, now) }
        wakeMet()
    }

    /// Records once, for later sessions, when the origin was last asked and which digests it
    /// states.
    private func noteChecked() {
        let (isNew, type, age, stated) = state.withLock { state in
            let isNew = !state.isNoted || state.stated != state.notedStated
            defer { (state.isNoted, state.notedStated) = (state.isConfirmed, state.stated) }
            return (state.isConfirmed && isNew, state.contentType, state.originAge, state.stated)
        }
        guard isNew else { return }
        let now = file.clock()
        // If this write fails, the next session asks the origin again.
        _ = try? store.change(file.key) { entry in
            (entry.checkedAt, entry.originAge, entry.contentType) = (now, age, type)
            entry.stated = stated ?? entry.stated
        }
    }

    /// Trusts bytes that another process has downloaded.
    func followed() {
        if file.status.version != nil { state.withLock { $0.isTrusted = true } }
        state.withLock { $0.phase = .following }
        wakeMet()
    }

    /// Pauses before a retry; returns early if nobody wants more, or if a reader joins a prefetch.
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
            guard left > 0, pause.wait(seconds: left) else { return }
        }
    }

    /// Ends the download because nobody wants more; stored bytes stay.
    func settle() {
        commit()
        let isComplete = file.status.isComplete
        state.withLock { state in
            guard !state.isRunning, !state.isClosed else { return }
            state.phase = isComplete ? .complete : .idle
        }
        if isComplete { hub.send(.finished) }
    }

    /// Fails all current waiters once; a later waiter tries again.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - mayPass: Whether the bytes can be passed on without the disk.
    /// - Returns: `false` if the download must go on for somebody who has joined.
    func fail(_ error: FetchError, mayPass: Bool) -> Bool {
        commit()
        let ended: (failed: [ReadWaiter], goesOn: Bool)? = state.withLock { state in
            if mayPass, canPass(after: error, state) { return nil }
            // A reader who joined a failing prefetch gets separate tries.
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
        // Bytes that cannot be committed are fetched again after the next opening; reads continue.
        try? commits.wait()
        try? file.commit()
    }
}

extension FetchSession.State {
    /// End of the first request, which only finds out what the source is.
    ///
    /// A distant reader is served next.
    private var firstEnd: Int64 {
        let wantsMore = waiters.contains { waiter in
            switch waiter.goal {
            case .byte(let offset): offset <= FetchSchedule.nearBytes
            case .known, .range: false
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
        // A version without any stored bytes needs no trust.
        if status.present.isEmpty, status.version == nil { isTrusted = true }
        // If all bytes of a version were dropped, the first new bytes confirm the version.
        if status.version == nil || !hasVersion || status.present.isEmpty && !isTrusted {
            return .fetch(from: 0, to: firstEnd)
        }
        switch schedule.next(demand(status, settings)) {
        case .rest: return .end
        case .fetch(let start, let end): return .fetch(from: start, to: end)
        }
    }
}

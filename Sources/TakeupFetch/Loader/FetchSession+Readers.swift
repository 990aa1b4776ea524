internal import Dispatch
internal import TakeupCurl
internal import TakeupLanes

extension FetchSession {
    /// Seconds between two checks for trouble while somebody waits.
    static let lookSeconds = 0.25
    /// Seconds after which a wait is reported as a stall.
    static let stallSeconds = 1.0

    func addReader() -> Int {
        state.withLock { state in
            if !state.readers.isEmpty { state.log.coalesced += 1 }
            state.nextReader += 1
            state.readers[state.nextReader] = Reader()
            return state.nextReader
        }
    }

    func removeReader(_ id: Int) {
        state.withLock { $0.readers[id] = nil }
        stopIfIdle()
    }

    func cancelReader(_ id: Int) {
        let waiters = state.withLock { state in
            state.readers[id]?.isCancelled = true
            let mine = state.waiters.filter { $0.reader == id }
            state.waiters.removeAll { $0.reader == id }
            return mine
        }
        for waiter in waiters { waiter.wake(.failure(.cancelled)) }
        stopIfIdle()
    }

    /// Wakes the lane if nobody needs it any more, so that it can stop.
    private func stopIfIdle() {
        let isIdle = state.withLock { state in
            state.countTraffic()
            guard !state.isNeeded else { return false }
            if state.running?.isNearlyDone == false, !state.keepsAnswer { state.stopRunning() }
            return true
        }
        if isIdle { pause.ring() }
    }

    func generation(of id: Int) -> Int64? { state.withLock { $0.readers[id]?.generation } }

    /// Gives a reader bytes from an offset, as soon as some are present.
    ///
    /// - Parameters:
    ///   - id: The reader.
    ///   - offset: Offset of the first byte.
    ///   - isStopped: Polled a few times a second.
    ///   - take: Copies the present bytes of a generation; returns 0 if the first byte is missing.
    /// - Returns: The result of `take`; 0 at the end of the source.
    /// - Throws: The errors of `SourceReader.read`.
    func serve(
        _ id: Int, at offset: Int64, isStopped: () -> Bool,
        take: (SourceFile, Int64) throws(FetchError) -> Int
    ) throws(FetchError) -> Int {
        precondition(offset >= 0, "there is nothing before the first byte")
        guard offset < BlockMap.mostBytes else {
            throw .tooLarge(limitBytes: BlockMap.mostBytes, address: file.address)
        }
        var waiter: ReadWaiter?
        defer { if let waiter { forget(waiter) } }
        while true {
            if let count = try attempt(id, at: offset, take: take) { return count }
            if let known = waiter {
                try wait(for: known, offset, isStopped)
                forget(known)
                waiter = nil
            } else {
                let next = ReadWaiter(.byte(offset), reader: id, generation: generation(of: id))
                try register(next)
                waiter = next
            }
        }
    }

    /// - Returns: nil if no bytes are available now.
    private func attempt(
        _ id: Int, at offset: Int64, take: (SourceFile, Int64) throws(FetchError) -> Int
    ) throws(FetchError) -> Int? {
        let (reader, isTrusted, isClosed) = state.withLock {
            ($0.readers[id] ?? Reader(), $0.isTrusted, $0.isClosed)
        }
        guard !reader.isCancelled, !isClosed else { throw .cancelled }
        guard isTrusted else { return nil }
        let status = file.status
        let generation = reader.generation ?? status.generation
        guard status.generation == generation else { throw .changed(address: file.address) }
        if let length = status.length, offset >= length { return 0 }
        let count: Int
        do throws(FetchError) {
            count = try take(file, generation)
        } catch {
            // A reader that has no bytes yet takes the new version.
            if case .changed = error, reader.generation == nil { return nil }
            throw error
        }
        guard count > 0 else { return nil }
        try deliver(count, to: id, at: offset, generation)
        return count
    }

    private func deliver(
        _ count: Int, to id: Int, at offset: Int64, _ generation: Int64
    ) throws(FetchError) {
        let wantsMore = try state.withLock { (state) throws(FetchError) in
            guard state.readers[id]?.isCancelled == false else { throw .cancelled }
            if let bound = state.readers[id]?.generation, bound != generation {
                throw .changed(address: file.address)
            }
            state.log.startOffset = state.log.startOffset ?? offset
            state.log.deliveredBytes += Int64(count)
            state.readers[id]?.generation = generation
            state.readers[id]?.position = offset + Int64(count)
            state.readers[id]?.isActive = true
            state.log.kind = settings.kind
            state.countTraffic()
            return !state.isRunning && !state.isClosed && state.lastFailure == nil
        }
        if wantsMore, wantsAhead() { start() }
    }

    /// Adds a waiter at the end of the row and starts the download.
    func register(_ waiter: ReadWaiter) throws(FetchError) {
        let isWaitedForAnew = try state.withLock { (state) throws(FetchError) in
            guard !state.isClosed else { throw .cancelled }
            if let reader = waiter.reader, state.readers[reader]?.isCancelled ?? true {
                throw .cancelled
            }
            if waiter.goal == .whole, let cause = state.passing { throw cause }
            state.lastFailure = nil
            if !waiter.isPrefetch { state.log.kind = settings.kind }
            if let reader = waiter.reader { state.readers[reader]?.isActive = true }
            state.waiters.append(waiter)
            return state.isRunning
                && (state.isWaitedForAnew || state.running?.isHeld == true)
        }
        if isWaitedForAnew { pause.ring() }
        start()
    }

    func forget(_ waiter: ReadWaiter) {
        state.withLock { state in state.waiters.removeAll { $0 === waiter } }
        stopIfIdle()
    }

    /// Waits until a waiter is woken.
    private func wait(
        for waiter: ReadWaiter, _ offset: Int64, _ isStopped: () -> Bool
    ) throws(FetchError) {
        let began = Self.monotonicSeconds
        var isTold = false
        while true {
            if let result = waiter.wait(seconds: Self.lookSeconds) {
                noteStall(Self.monotonicSeconds - began)
                return try result.get()
            }
            guard !isStopped() else { throw .cancelled }
            nudge()
            let seconds = Self.monotonicSeconds - began
            if !isTold, seconds >= Self.stallSeconds {
                isTold = true
                state.withLock { $0.log.overdueReads += 1 }
                hub.send(.stalled(offset: offset))
            }
        }
    }

    private func noteStall(_ seconds: Double) {
        guard seconds >= Self.lookSeconds else { return }
        state.withLock { state in
            state.log.readerStalls += 1
            state.log.readerStallSeconds += seconds
        }
    }

    /// Stops a useless transfer while somebody waits elsewhere; restarts the lane if waiters
    /// remain.
    private func nudge() {
        wakeMet()
        let status = file.status
        let now = Self.monotonicSeconds
        let isLeft = state.withLock { state in
            if state.yields(status, settings, now: now) { state.stopRunning() }
            return !state.waiters.isEmpty
        }
        if isLeft { start() }
    }
}

extension FetchSession {
    /// Waits until the download meets a goal that no reader has set.
    func wait(
        for goal: ReadWaiter.Goal, isPrefetch: Bool = false, isStopped: () -> Bool,
        onLook: () -> Void = {}
    ) throws(FetchError) {
        let waiter = ReadWaiter(goal, isPrefetch: isPrefetch)
        let status = file.status
        if goal == .whole, let cause = status.storageFailure { throw cause }
        if waiter.isMet(by: status, isTrusted: state.withLock { $0.isTrusted }) { return }
        try register(waiter)
        defer { forget(waiter) }
        // The goal may have been met before the registration; then nobody else would wake this
        // waiter.
        wakeMet()
        while true {
            let result = waiter.wait(seconds: Self.lookSeconds)
            onLook()
            if let result { return try result.get() }
            guard !isStopped() else { throw .cancelled }
            nudge()
        }
    }

    /// Waits for the facts.
    ///
    /// - Parameters:
    ///   - isForPlayers: Whether the source is read as it is, and not as media.
    ///   - isStopped: Polled a few times a second.
    /// - Returns: The facts that are known now.
    /// - Throws: `FetchError.notMedia` if what is stored for players is not media; `.unsupported`
    ///   for a playlist that players read.
    func information(
        isForPlayers: Bool, isStopped: () -> Bool
    ) throws(FetchError) -> ContentInformation {
        guard !isClosed else { throw .cancelled }
        try wait(for: .known, isStopped: isStopped)
        if isForPlayers, isPlaylist { throw Self.unjoined(file.address) }
        let status = file.status
        let (contentType, honoursRanges) = state.withLock { ($0.contentType, $0.honoursRanges) }
        return ContentInformation(
            length: status.length, isOpenEnded: status.version?.entity?.isOpenEnded ?? false,
            contentType: contentType,
            signature: try signature(status, isForPlayers), supportsRanges: honoursRanges,
            isComplete: status.isComplete,
            version: "\(status.version?.validator ?? "")/\(status.length ?? -1)",
            statedDigests: statedDigests())
    }

    private func signature(
        _ status: SourceStatus, _ isForPlayers: Bool
    ) throws(FetchError) -> MediaSignature? {
        let count = min(MediaSignature.prefixBytes, Int(clamping: status.length ?? .max))
        var prefix = [UInt8](repeating: 0, count: count)
        var failure: FetchError?
        let read = prefix.withUnsafeMutableBytes { room in
            do throws(FetchError) {
                return try file.read(into: room, at: 0, generation: status.generation)
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        guard read > 0 else { return nil }
        switch MediaSignature.judge(prefix.prefix(read), contentType: nil) {
        case .media(let signature): return signature
        case .refuse(let reason) where read == count && !isForPlayers:
            throw .notMedia(reason, address: file.address)
        case .refuse, .unknown: return nil
        }
    }

    func waitUntilComplete(
        isStopped: () -> Bool, onProgress: (LoaderStatus) -> Void
    ) throws(FetchError) {
        guard !isClosed else { throw .cancelled }
        try wait(for: .whole, isStopped: isStopped) { onProgress(status) }
        let length = file.status.length ?? 0
        state.withLock { $0.log.completedBytes = length }
        onProgress(status)
    }
}

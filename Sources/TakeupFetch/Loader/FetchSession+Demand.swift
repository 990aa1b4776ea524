internal import TakeupCurl
internal import TakeupFiles
internal import TakeupLanes

extension FetchSession.State {
    /// Whether somebody needs bytes; a prefetch does not count while any session is live.
    var isNeeded: Bool {
        !isClosed && (isLive || !traffic.isLive && waiters.contains(where: \.isPrefetch))
    }

    /// Whether anybody but a prefetch reads or waits.
    var isLive: Bool {
        waiters.contains { !$0.isPrefetch }
            || lastFailure == nil && readers.values.contains { $0.isActive && !$0.isCancelled }
    }

    /// Whether a reader has joined a download that began as a prefetch; the retries then start
    /// again.
    var isWaitedForAnew: Bool { beganAhead && isLive }

    /// Counts the session as live while its lane works for a live reader.
    mutating func countTraffic() {
        let counts = isRunning && !isClosed && isLive
        guard counts != isCounted else { return }
        isCounted = counts
        if counts { traffic.begin() } else { traffic.end() }
    }

    func demand(_ status: SourceStatus, _ settings: FetchSettings) -> FetchSchedule.Demand {
        var demand = FetchSchedule.Demand(present: status.present, length: status.length)
        demand.waiting = waiters.compactMap { waiter in
            switch waiter.goal {
            case .byte(let offset): offset
            case .range(let range): status.present.prefixEnd(from: range.lowerBound)
            case .known: status.version == nil ? 0 : nil
            case .whole: nil
            }
        }
        demand.endOfRanges = endOfRanges
        demand.wantsAll = waiters.contains { $0.goal == .whole }
        if lastFailure == nil {
            demand.positions = readers.values.filter { $0.isActive && !$0.isCancelled }
                .map(\.position)
        }
        demand.aheadBytes = settings.aheadBytes
        if status.storageFailure != nil {
            let ahead = min(settings.aheadBytes ?? .max, SourceFile.passingAheadBytes)
            (demand.aheadBytes, demand.waitsForReaders) = (ahead, true)
            // A reader whose near bytes are all present does not need a new request.
            demand.positions.removeAll { place in
                let end = min(status.length ?? .max, place + ahead)
                return !honoursRanges && status.present.prefixEnd(from: place) >= end
            }
        }
        demand.honoursRanges = honoursRanges
        return demand
    }

    /// Where the wanted ranges end; nil if somebody wants anything else.
    private var endOfRanges: Int64? {
        guard readers.isEmpty else { return nil }
        var end: Int64?
        for waiter in waiters {
            guard case .range(let range) = waiter.goal else { return nil }
            end = max(end ?? 0, range.upperBound)
        }
        return end
    }

    /// Returns whether the running request must stop for a reader who waits elsewhere.
    func yields(_ status: SourceStatus, _ settings: FetchSettings, now: Double) -> Bool {
        guard let running, status.version != nil else { return false }
        if status.storageFailure != nil, !honoursRanges {
            return wantsOnly(before: running.position)
        }
        return FetchSchedule.yields(
            demand(status, settings), position: running.position, end: running.end,
            bytes: running.bytes, seconds: running.answeredAt.map { now - $0 } ?? 0)
    }

    /// Returns whether the running request still brings bytes that somebody needs.
    func goesOn(_ status: SourceStatus, _ settings: FetchSettings, now: Double) -> Bool {
        guard let running, !isClosed else { return false }
        guard isNeeded || keepsAnswer || running.isNearlyDone else { return false }
        let isUseful =
            status.present.prefixEnd(from: running.position)
            < running.end ?? status.length ?? .max
        return (isUseful || running.end == running.position)
            && !yields(status, settings, now: now)
    }

    /// Cancels the running request on purpose.
    mutating func stopRunning() {
        running?.hasYielded = true
        running?.cancellation.cancel()
    }

    /// Removes the waiters whose wait is over and returns them with their results.
    mutating func takeMet(
        _ status: SourceStatus, address: String
    ) -> [(ReadWaiter, Result<Void, FetchError>)] {
        var met: [(ReadWaiter, Result<Void, FetchError>)] = []
        waiters.removeAll { waiter in
            if let generation = waiter.generation, generation != status.generation {
                met.append((waiter, .failure(.changed(address: address))))
            } else if waiter.isMet(by: status, isTrusted: isTrusted) {
                met.append((waiter, .success(())))
            } else if waiter.isPrefetch, let limit = mostAheadBytes,
                max(status.length ?? 0, status.present.byteCount) > limit
            {
                met.append((waiter, .failure(.tooLarge(limitBytes: limit, address: address))))
            } else {
                return false
            }
            return true
        }
        return met
    }
}

extension FetchSession {
    /// Wakes the waiters whose byte has arrived.
    func wakeMet() {
        let met = state.withLock { state in
            state.waiters.isEmpty ? [] : state.takeMet(file.status, address: file.address)
        }
        for (waiter, result) in met { waiter.wake(result) }
    }

    /// Returns whether some reader's window has emptied so far that more must be fetched.
    func wantsAhead() -> Bool {
        let status = file.status
        guard !status.isComplete else { return false }
        return state.withLock { state in
            var schedule = state.schedule
            return schedule.next(state.demand(status, settings)) != .rest
        }
    }
}

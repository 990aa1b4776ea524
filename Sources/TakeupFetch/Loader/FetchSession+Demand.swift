internal import TakeupCurl
internal import TakeupFiles
internal import TakeupLanes

extension FetchSession.State {
    /// Whether there is anybody for whom something may be fetched; a prefetch has to wait for all live sessions.
    var isNeeded: Bool {
        !isClosed && (isLive || !traffic.isLive && waiters.contains(where: \.isPrefetch))
    }

    /// Whether somebody reads or waits who does more than fetch ahead.
    var isLive: Bool {
        waiters.contains { !$0.isPrefetch }
            || lastFailure == nil && readers.values.contains { $0.isActive && !$0.isCancelled }
    }

    /// Whether somebody has come to what began as a prefetch, and whose tries are not begun.
    var isWaitedForAnew: Bool { beganAhead && isLive }

    /// Counts the session as live while its lane works for somebody who is.
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
            case .known: status.version == nil ? 0 : nil
            case .whole: nil
            }
        }
        demand.wantsAll = waiters.contains { $0.goal == .whole }
        if lastFailure == nil {
            demand.positions = readers.values.filter { $0.isActive && !$0.isCancelled }
                .map(\.position)
        }
        demand.aheadBytes = settings.aheadBytes
        if status.storageFailure != nil {
            let ahead = min(settings.aheadBytes ?? .max, SourceFile.passingAheadBytes)
            demand.aheadBytes = ahead
            // Who has what is near wants no other beginning.
            demand.positions.removeAll { place in
                let end = min(status.length ?? .max, place + ahead)
                return !honoursRanges && status.present.prefixEnd(from: place) >= end
            }
        }
        demand.honoursRanges = honoursRanges
        return demand
    }

    /// Whether the request under way gives way to somebody who waits elsewhere.
    func yields(_ status: SourceStatus, _ settings: FetchSettings, now: Double) -> Bool {
        guard let running, status.version != nil else { return false }
        if status.storageFailure != nil, !honoursRanges {
            return wantsOnly(before: running.position)
        }
        return FetchSchedule.yields(
            demand(status, settings), position: running.position, end: running.end,
            bytes: running.bytes, seconds: running.answeredAt.map { now - $0 } ?? 0)
    }

    /// Whether the request under way brings something that somebody needs.
    func goesOn(_ status: SourceStatus, _ settings: FetchSettings, now: Double) -> Bool {
        guard let running, !isClosed else { return false }
        guard isNeeded || keepsAnswer || running.isNearlyDone else { return false }
        let isUseful =
            status.present.prefixEnd(from: running.position)
            < running.end ?? status.length ?? .max
        return (isUseful || running.end == running.position)
            && !yields(status, settings, now: now)
    }

    /// Ends the request under way, on purpose.
    mutating func stopRunning() {
        running?.hasYielded = true
        running?.cancellation.cancel()
    }

    /// Takes those out whose wait is over, with how it ended.
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
    /// Wakes those whose byte is here.
    func wakeMet() {
        let met = state.withLock { state in
            state.waiters.isEmpty ? [] : state.takeMet(file.status, address: file.address)
        }
        for (waiter, result) in met { waiter.wake(result) }
    }

    /// Whether the window of some reader is so empty that more is fetched.
    func wantsAhead() -> Bool {
        let status = file.status
        guard !status.isComplete else { return false }
        return state.withLock { state in
            var schedule = state.schedule
            return schedule.next(state.demand(status, settings)) != .rest
        }
    }
}

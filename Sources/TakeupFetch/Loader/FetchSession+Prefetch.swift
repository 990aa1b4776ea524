internal import TakeupFiles
internal import TakeupLanes

/// Bytes that nobody waits for yet.
extension FetchSession {
    /// Whether somebody reads or waits who does more than fetch ahead.
    var isLive: Bool { state.withLock { $0.isLive } }

    /// Whether a transfer that is broken off begins with the first byte again.
    var startsAnew: Bool {
        state.withLock { !$0.honoursRanges } && file.nextPiece.number == 0
    }

    /// Notes that a prefetch begins.
    ///
    /// - Returns: `false` while somebody reads, who brings the bytes then.
    func beginAhead() -> Bool {
        state.withLock { state in
            guard !state.isLive else { return false }
            if state.log.originRequests == 0, state.log.deliveredBytes == 0 {
                state.log.kind = .prefetch
            }
            return true
        }
    }

    /// Whether somebody has come to what began as a prefetch, since this was asked last.
    func isTakenOver() -> Bool {
        state.withLock { state in
            guard state.isWaitedForAnew else { return false }
            state.beganAhead = false
            return true
        }
    }

    /// Waits until every byte is here, behind everybody who is live.
    ///
    /// - Parameters:
    ///   - room: How many more bytes may come; a source that is longer is left as soon as that is known.
    ///   - isStopped: Asked a few times a second; `true` ends the wait with `.cancelled`.
    /// - Returns: `.complete` or `.noRoom`.
    /// - Throws: Any `FetchError`.
    func fetchAhead(
        room: Int64, isStopped: () -> Bool
    ) throws(FetchError) -> PrefetchEnd {
        let most = file.status.present.byteCount + room
        state.withLock { $0.mostAheadBytes = most }
        do throws(FetchError) {
            try wait(for: .whole, isPrefetch: true, isStopped: isStopped)
        } catch {
            guard case .tooLarge = error else { throw error }
            return .noRoom
        }
        return .complete
    }
}

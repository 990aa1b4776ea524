internal import TakeupFiles
internal import TakeupLanes

/// Fetches bytes that nobody waits for yet.
extension FetchSession {
    /// Whether anybody but a prefetch reads or waits.
    var isLive: Bool { state.withLock { $0.isLive } }

    /// Whether a cancelled transfer would restart at the first byte.
    var startsAnew: Bool {
        state.withLock { !$0.honoursRanges } && file.nextPiece.number == 0
    }

    /// Records that a prefetch begins.
    ///
    /// - Returns: `false` while a live reader exists, because its download fetches the bytes.
    func beginAhead() -> Bool {
        state.withLock { state in
            guard !state.isLive else { return false }
            if state.log.originRequests == 0, state.log.deliveredBytes == 0 {
                state.log.kind = .prefetch
            }
            return true
        }
    }

    /// Returns whether a reader has joined a prefetch since the last call.
    func isTakenOver() -> Bool {
        state.withLock { state in
            guard state.isWaitedForAnew else { return false }
            state.beganAhead = false
            return true
        }
    }

    /// Waits until every byte, or those of a range, have arrived; all live sessions have priority.
    ///
    /// - Parameters:
    ///   - range: The wanted bytes, at least one; nil for all of them.
    ///   - room: Number of additional bytes allowed; a longer source is abandoned as soon as its
    ///     length is known.
    ///   - isStopped: Polled a few times a second; `true` ends the wait with `.cancelled`.
    /// - Returns: `.complete`, `.beyondEnd` or `.noRoom`.
    /// - Throws: Any `FetchError`.
    func fetchAhead(
        _ range: Range<Int64>? = nil, room: Int64, isStopped: () -> Bool
    ) throws(FetchError) -> PrefetchEnd {
        if let range {
            // Only whole blocks outlive the session.
            let start = range.lowerBound / BlockMap.blockBytes * BlockMap.blockBytes
            let blocks = start..<BlockMap.end(ofBlockAt: range.upperBound - 1)
            guard Int64(blocks.count) <= room else { return .noRoom }
            state.withLock { $0.mostAheadBytes = nil }
            try wait(for: .range(blocks), isPrefetch: true, isStopped: isStopped)
            let length = file.status.length ?? .max
            return range.lowerBound >= length ? .beyondEnd : .complete
        }
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

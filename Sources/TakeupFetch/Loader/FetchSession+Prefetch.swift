internal import TakeupLanes

/// Bytes that nobody waits for yet.
extension FetchSession {
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

    /// Waits until every byte is here, behind everybody who is live.
    ///
    /// - Parameters:
    ///   - room: How many more bytes may come.
    ///   - isStopped: Asked a few times a second; `true` ends the wait with `.cancelled`.
    /// - Returns: `.complete` or `.noRoom`.
    /// - Throws: Any `FetchError`.
    func fetchAhead(
        room: Int64, isStopped: () -> Bool
    ) throws(FetchError) -> PrefetchEnd {
        let before = file.status.present.byteCount
        try wait(for: .known, isPrefetch: true, isStopped: isStopped)
        let status = file.status
        if let length = status.length, length - status.present.byteCount > room { return .noRoom }
        var isFull = false
        do throws(FetchError) {
            try wait(for: .whole, isPrefetch: true) {
                isFull = file.status.present.byteCount - before > room
                return isFull || isStopped()
            }
        } catch {
            guard isFull, error == .cancelled else { throw error }
            return .noRoom
        }
        return .complete
    }
}

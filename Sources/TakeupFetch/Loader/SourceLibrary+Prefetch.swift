extension SourceLibrary {
    /// Prefetches a source while no live session of this library fetches; evicts nothing.
    ///
    /// Blocks until the prefetch has ended and holds the source only for that time. A paused
    /// prefetch holds no writer lock, so that no other process waits in vain.
    ///
    /// - Parameters:
    ///   - source: The source that will be read.
    ///   - limits: Limits of the store.
    ///   - isStopped: Polled a few times a second; `true` ends the prefetch with `.cancelled`.
    /// - Returns: How the prefetch ended, if it did not fail.
    /// - Throws: Any `FetchError`.
    func prefetch(
        _ source: WantedSource, within limits: SourceLimits, isStopped: () -> Bool
    ) throws(FetchError) -> PrefetchEnd {
        guard !traffic.isLive else { return .gaveWay }
        let key = try key(of: source)
        // The later reader asks the origin whether the source is still current.
        if try store.summary(key)?.isComplete == true { return .complete }
        let room = try store.prefetchRoom(for: key, limits)
        guard room > 0 else { return .noRoom }
        let session = try loader(source).session
        guard session.file.status.isWriter else { return .elsewhere }
        guard session.beginAhead() else { return .gaveWay }
        var end: PrefetchEnd?
        do throws(FetchError) {
            end = try session.fetchAhead(room: room) {
                if traffic.isLive { end = .gaveWay }
                if let free = try? store.freeBytes(), free < limits.minFreeBytes { end = .noRoom }
                return end != nil || isStopped()
            }
        } catch {
            if case .unsupported = error, session.hasOneSize {
                forget(source)
                return try prefetch(
                    WantedSource(source.address), within: limits, isStopped: isStopped)
            }
            guard error == .cancelled, let end else { throw error }
            return end == .gaveWay && session.startsAnew ? .leftToReader : end
        }
        return end ?? .complete
    }
}

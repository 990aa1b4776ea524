extension SourceLibrary {
    /// Fetches a source ahead of time while no live session of this library fetches; nothing is let go for it.
    ///
    /// Blocks until that has ended. The source is held for that time only: a prefetch that stands still is the writer of
    /// nothing, so that no other process waits for it in vain.
    ///
    /// - Parameters:
    ///   - source: What will be read.
    ///   - limits: Of the store.
    ///   - isStopped: Asked a few times a second; `true` ends it with `.cancelled`.
    /// - Returns: How it ended, when it did not fail.
    /// - Throws: Any `FetchError`.
    func prefetch(
        _ source: WantedSource, within limits: SourceLimits, isStopped: () -> Bool
    ) throws(FetchError) -> PrefetchEnd {
        guard !traffic.isLive else { return .gaveWay }
        let key = try key(of: source)
        // Whether it is still the origin's is asked by who reads it.
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

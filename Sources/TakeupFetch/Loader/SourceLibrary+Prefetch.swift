extension SourceLibrary {
    /// Prefetches a source while no live session of this library fetches; evicts nothing.
    ///
    /// Blocks until the prefetch has ended and holds the source only for that time. A paused
    /// prefetch holds no writer lock, so that no other process waits in vain.
    ///
    /// - Parameters:
    ///   - source: The source that will be read.
    ///   - range: The bytes that will be read; nil for all.
    ///   - limits: Limits of the store.
    ///   - joinsPlaylists: Whether the joined pieces of a playlist are wanted; otherwise it ends with `.playlist`.
    ///   - isStopped: Polled a few times a second; `true` ends the prefetch with `.cancelled`.
    /// - Returns: How the prefetch ended, if it did not fail.
    /// - Throws: Any `FetchError`.
    package func prefetch(
        _ source: WantedSource, _ range: Range<Int64>? = nil, within limits: SourceLimits,
        joinsPlaylists: Bool = true, isStopped: () -> Bool
    ) throws(FetchError) -> PrefetchEnd {
        guard !traffic.isLive else { return .gaveWay }
        let key = try key(of: source)
        // The later reader asks the origin whether the source is still current.
        if let summary = try store.summary(key), summary.isComplete {
            return range.map { $0.lowerBound < summary.presentBytes } ?? true
                ? .complete : .beyondEnd
        }
        let room = try store.prefetchRoom(for: key, limits)
        guard room > 0 else { return .noRoom }
        let session = try loader(source, isForPlayers: !joinsPlaylists).session
        guard session.file.status.isWriter else { return .elsewhere }
        guard session.beginAhead() else { return .gaveWay }
        var end: PrefetchEnd?
        do throws(FetchError) {
            end = try session.fetchAhead(range, room: room) {
                if traffic.isLive { end = .gaveWay }
                if !joinsPlaylists, session.isPlaylist { end = .playlist }
                if let free = try? store.freeBytes(), free < limits.minFreeBytes { end = .noRoom }
                return end != nil || isStopped()
            }
        } catch {
            if !joinsPlaylists, session.isPlaylist { return .playlist }
            if case .unsupported = error, session.hasOneSize {
                forget(source)
                return try prefetch(
                    WantedSource(source.address), range, within: limits,
                    joinsPlaylists: joinsPlaylists, isStopped: isStopped)
            }
            guard error == .cancelled, let end else { throw error }
            return end == .gaveWay && session.startsAnew ? .leftToReader : end
        }
        if !joinsPlaylists, session.isPlaylist { return .playlist }
        return end ?? .complete
    }
}

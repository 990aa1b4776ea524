extension SourceLibrary {
    /// The session of a source, once it is known what that is: one of its own for each limit on a playlist of several
    /// sizes, and else the same for all.
    ///
    /// Blocks: for a lane.
    ///
    /// - Parameters:
    ///   - source: Its limit chooses the variant where the address's path is a playlist's.
    ///   - isStopped: Asked now and then; `true` ends the wait with `.cancelled`.
    /// - Returns: The same session for everybody, while somebody holds it.
    /// - Throws: Any `FetchError`.
    public func open(
        _ source: WantedSource, isStopped: () -> Bool = { false }
    ) throws(FetchError) -> ResourceLoader {
        if let loader = try opened(source, isStopped) { return loader }
        forget(source)
        let loader = try loader(for: source.address)
        _ = try loader.information(isStopped: isStopped)
        return loader
    }

    /// Drops the empty place of a limit that a playlist of one size has no use for; while somebody holds it, that waits for
    /// the next eviction.
    func forget(_ source: WantedSource) {
        _ = try? store.remove(key(of: source))
    }

    /// - Returns: nil for a playlist of one size that is wanted within a limit.
    private func opened(
        _ source: WantedSource, _ isStopped: () -> Bool
    ) throws(FetchError) -> ResourceLoader? {
        let loader = try loader(source)
        do throws(FetchError) {
            _ = try loader.information(isStopped: isStopped)
            return loader
        } catch {
            guard case .unsupported = error, loader.session.hasOneSize else { throw error }
            return nil
        }
    }
}

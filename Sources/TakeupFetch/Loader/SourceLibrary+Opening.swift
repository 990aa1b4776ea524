extension SourceLibrary {
    /// Opens the session of a source, once its kind is known.
    ///
    /// A playlist of several sizes has a separate session for each picture limit. Every other
    /// source has one session. Blocks, so call it on a lane.
    ///
    /// - Parameters:
    ///   - source: The source; its limit selects the variant if the address's path is a playlist's.
    ///   - isStopped: Polled while waiting; `true` ends the wait with `.cancelled`.
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

    /// Removes the empty entry of a picture limit that a playlist of one size does not need.
    ///
    /// If somebody holds the entry, the next eviction removes it.
    func forget(_ source: WantedSource) {
        _ = try? store.remove(key(of: source))
    }

    /// - Returns: nil for a playlist of one size with a picture limit.
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

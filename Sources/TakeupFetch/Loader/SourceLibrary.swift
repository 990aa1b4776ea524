internal import Foundation
internal import TakeupCurl
internal import TakeupLanes

/// Gives everybody who wants the same source the same live session; one a process over one store.
public final class SourceLibrary: Sendable {
    /// For what concerns stored sources without fetching them.
    public let store: SourceStore
    private let settings: FetchSettings
    private let onSessionEnd: (@Sendable (SessionLog) -> Void)?
    /// Of all sessions.
    let traffic = LiveTraffic()
    private let live = Locked<[SourceKey: WeakSession]>([:])
    private let turns = Locked<[SourceKey: WeakTurn]>([:])

    private struct WeakSession {
        weak var session: FetchSession?
    }

    /// One source is opened once; it blocks, also for long.
    private struct WeakTurn {
        weak var turn: Locked<SourceKey>?
    }

    /// - Parameters:
    ///   - store: Where the bytes are kept.
    ///   - settings: For sources that are asked for without their own.
    ///   - onSessionEnd: Takes the log of each session that did something, from any thread; must not block.
    public init(
        store: SourceStore, settings: FetchSettings = FetchSettings(),
        onSessionEnd: (@Sendable (SessionLog) -> Void)? = nil
    ) {
        (self.store, self.settings, self.onSessionEnd) = (store, settings, onSessionEnd)
    }

    /// The session of an address, which begins nothing by itself.
    ///
    /// - Parameters:
    ///   - address: http or https.
    ///   - settings: Those of the library when nil; a session that lives already keeps its own.
    /// - Returns: The same session for everybody, while somebody holds it.
    /// - Throws: `FetchError.denied` for what is no permitted address; `.storage`.
    public func loader(
        for address: String, settings: FetchSettings? = nil
    ) throws(FetchError) -> ResourceLoader {
        try loader(WantedSource(address), settings: settings)
    }

    /// The session of a source; of a playlist of one size it fails with `hasOneSize` unless it is wanted without a limit.
    func loader(
        _ source: WantedSource, settings: FetchSettings? = nil
    ) throws(FetchError) -> ResourceLoader {
        var own = settings ?? self.settings
        own.hostTurns = self.settings.hostTurns
        let (parsed, key, settings) = try place(of: source, own)
        return try turn(key).withLock { _ throws(FetchError) in
            let known = live.withLock { $0[key]?.session }
            if let known, !known.isClosed {
                known.offer(parsed)
                return ResourceLoader(known)
            }
            // A closed one that somebody still holds is the writer: the file goes on in the next.
            let file: SourceFile
            if let known, known.file.passingCause == nil {
                file = known.file
            } else {
                file = try open(key, parsed)
            }
            let session = FetchSession(
                file, store: store, address: parsed, settings: settings, onEnd: onSessionEnd)
            session.state.withLock { $0.traffic = traffic }
            live.withLock { live in
                live = live.filter { $0.value.session != nil }
                live[key] = WeakSession(session: session)
            }
            return ResourceLoader(session)
        }
    }

    /// Ends every session, so that all logs are told before this returns; what is here stays in the store.
    public func close() {
        for session in live.withLock({ $0.values.compactMap(\.session) }) { session.close() }
    }

    /// What a source is called in the store.
    func key(of source: WantedSource) throws(FetchError) -> SourceKey {
        try place(of: source, settings).key
    }

    private func place(
        of source: WantedSource, _ settings: FetchSettings
    ) throws(FetchError) -> (address: WebAddress, key: SourceKey, settings: FetchSettings) {
        var settings = settings
        let parsed = try Self.parse(source.address)
        if PlaylistName.isOne(parsed.path) { settings.pictureLimit = source.pictureLimit }
        if let denial = settings.addressPolicy.denial(of: parsed) {
            throw .denied("\(denial)", address: parsed.redacted)
        }
        return (parsed, try SourceKey(address: settings.keyText(parsed)), settings)
    }

    private func turn(_ key: SourceKey) -> Locked<SourceKey> {
        turns.withLock { turns in
            if let turn = turns[key]?.turn { return turn }
            let turn = Locked(key)
            turns = turns.filter { $0.value.turn != nil }
            turns[key] = WeakTurn(turn: turn)
            return turn
        }
    }

    /// Opens a source; one that the disk does not take goes to its readers without being kept.
    private func open(_ key: SourceKey, _ address: WebAddress) throws(FetchError) -> SourceFile {
        do throws(FetchError) {
            return try store.open(key, address: address.redacted)
        } catch {
            guard case .storage = error else { throw error }
            return SourceFile(
                passing: error, key: key, address: address.redacted, clock: store.clock)
        }
    }

    private static func parse(_ address: String) throws(FetchError) -> WebAddress {
        do throws(CurlError) {
            return try WebAddress(address)
        } catch {
            throw .denied("\(error)", address: error.subject)
        }
    }
}

internal import Foundation
internal import TakeupCurl
internal import TakeupLanes

/// Shares one live session among all readers of the same source; use one library per process and
/// store.
public final class SourceLibrary: Sendable {
    /// Whether libcurl is installed; without it no address can be opened.
    public static var canFetch: Bool { CurlLibrary.isLoaded }

    /// The store, for operations on stored sources that fetch nothing.
    public let store: SourceStore
    let settings: FetchSettings
    private let onSessionEnd: (@Sendable (SessionLog) -> Void)?
    /// The counter of live sessions.
    let traffic = LiveTraffic()
    let ended = EndedSessions()
    private let live = Locked<[SourceKey: WeakSession]>([:])
    private let turns = Locked<[SourceKey: WeakTurn]>([:])

    private struct WeakSession {
        weak var session: FetchSession?
    }

    /// Serializes the opening of one source, because opening may block for long.
    private struct WeakTurn {
        weak var turn: Locked<SourceKey>?
    }

    /// - Parameters:
    ///   - store: The store for the bytes.
    ///   - settings: Default settings, for sources without their own.
    ///   - onSessionEnd: Receives the log of each session that did something, on any thread; must
    ///     not block.
    public init(
        store: SourceStore, settings: FetchSettings = FetchSettings(),
        onSessionEnd: (@Sendable (SessionLog) -> Void)? = nil
    ) {
        (self.store, self.settings, self.onSessionEnd) = (store, settings, onSessionEnd)
    }

    /// Returns the session of an address; this alone fetches nothing.
    ///
    /// - Parameters:
    ///   - address: An http, https or s3 address.
    ///   - settings: Settings of a new session; nil for the library's. A live session keeps its
    ///     own.
    /// - Returns: The same session for everybody, while somebody holds it.
    /// - Throws: `FetchError.denied` if the address is invalid or not permitted; `.storage`.
    public func loader(
        for address: String, settings: FetchSettings? = nil
    ) throws(FetchError) -> ResourceLoader {
        try loader(WantedSource(address), settings: settings)
    }

    /// Returns the session of a source.
    ///
    /// If a playlist of one size is wanted with a limit, the session fails with `hasOneSize`. Players read a source as it is:
    /// any bytes but an HTML page, and no joined pieces of a playlist.
    func loader(
        _ source: WantedSource, settings: FetchSettings? = nil, isForPlayers: Bool = false
    ) throws(FetchError) -> ResourceLoader {
        var own = settings ?? self.settings
        own.hostTurns = self.settings.hostTurns
        let (parsed, key, settings) = try place(of: source, own)
        return try turn(key).withLock { _ throws(FetchError) in
            let known = live.withLock { $0[key]?.session }
            if let known, !known.isClosed {
                known.offer(parsed)
                return ResourceLoader(known, isForPlayers: isForPlayers)
            }
            // A closed session that is still held is the writer, so the next session takes over its
            // file.
            let file: SourceFile
            if let known, known.file.passingCause == nil {
                file = known.file
            } else {
                file = try open(key, parsed)
            }
            let session = FetchSession(
                file, store: store, address: parsed, settings: settings
            ) { [ended, onSessionEnd] log in
                ended.note(key, log)
                onSessionEnd?(log)
            }
            session.state.withLock { $0.traffic = traffic }
            live.withLock { live in
                live = live.filter { $0.value.session != nil }
                live[key] = WeakSession(session: session)
            }
            return ResourceLoader(session, isForPlayers: isForPlayers)
        }
    }

    var sessions: [FetchSession] { live.withLock { $0.values.compactMap(\.session) } }

    /// Closes every session; all logs are delivered before this returns; present bytes stay in the
    /// store.
    public func close() {
        for session in sessions { session.close() }
    }

    /// Returns the key of a source in the store.
    func key(of source: WantedSource) throws(FetchError) -> SourceKey {
        try place(of: source, settings).key
    }

    private func place(
        of source: WantedSource, _ settings: FetchSettings
    ) throws(FetchError) -> (address: WebAddress, key: SourceKey, settings: FetchSettings) {
        var settings = settings
        let parsed = try Self.parse(source.address, &settings)
        if PlaylistName.isOne(parsed.path) { settings.pictureLimit = source.pictureLimit }
        if let denial = settings.addressPolicy.denial(of: parsed) {
            throw .denied("\(denial)", address: parsed.redacted)
        }
        return (parsed, SourceKey(address: settings.keyText(parsed)), settings)
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

    /// Opens a source; if the disk fails, returns a file that passes bytes to readers without
    /// storing.
    private func open(_ key: SourceKey, _ address: WebAddress) throws(FetchError) -> SourceFile {
        do throws(FetchError) {
            return try store.open(key, address: address.redacted)
        } catch {
            guard case .storage = error else { throw error }
            return SourceFile(
                passing: error, key: key, address: address.redacted, clock: store.clock)
        }
    }

    /// An object of a store is read by an address that is made for it; its own one names it.
    private static func parse(
        _ address: String, _ settings: inout FetchSettings
    ) throws(FetchError) -> WebAddress {
        guard address.prefix(5).lowercased() == "s3://" else { return try parse(address) }
        guard let objects = settings.objects else {
            throw .denied("no object store is read here", address: address)
        }
        let object = try objects(address)
        let parsed = try parse(object.text)
        settings.authorities = object.authorities ?? settings.authorities
        settings.key = { _ in address }
        settings.refresh = { _ in
            guard let fresh = try? objects(address) else { return nil }
            return try? WebAddress(fresh.text)
        }
        return parsed
    }

    private static func parse(_ address: String) throws(FetchError) -> WebAddress {
        do throws(CurlError) {
            return try WebAddress(address)
        } catch {
            // Without libcurl nothing is known of the address.
            guard error.operation != .start else {
                throw .unreachable(error.reason, address: error.subject)
            }
            throw .denied("\(error)", address: error.subject)
        }
    }
}

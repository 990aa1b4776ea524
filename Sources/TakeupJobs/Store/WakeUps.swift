internal import Dispatch
internal import TakeupLanes
public import TakeupSQL

/// Tells the workers of other processes that there is work, where the database can tell it.
///
/// A wake-up is a hint: it may be lost, and looking at the queue now and then stays the truth.
public final class WakeUps: Sendable {
    /// A commit that tells something waits for every other one on the server, so that many are told as one.
    private static let fewestSeconds = 0.1

    private struct State {
        var toldAt: ContinuousClock.Instant?
        var isTelling = false
    }

    /// nil where nobody can be told.
    private let channel: String?
    private let database: any SQLDatabase
    private let state = Locked(State())
    private let teller = Locked<(any SQLConnection)?>(nil)
    private let queue = DispatchQueue(label: "takeup.tell")

    init(_ database: any SQLDatabase, _ connection: any SQLConnection) throws(SQLError) {
        self.database = database
        guard connection.dialect == .postgres else {
            channel = nil
            return
        }
        channel = try connection.query(
            "SELECT 'takeup ' || hashtext(coalesce(current_schema(), ''))"
        ) { $0.text(0) }.first
    }

    /// Whether the database can tell.
    public var isPossible: Bool { channel != nil }

    /// Opens a connection that hears the wake-ups.
    ///
    /// - Returns: nil where there are none, as in a file or behind a pooler.
    /// - Throws: `SQLError`.
    public func listen() throws(SQLError) -> (any SQLListener)? {
        guard let channel else { return nil }
        return try database.listen(to: channel)
    }

    /// Tells that there is work, at once or a moment after the last time.
    ///
    /// - Parameter connection: Outside of a transaction.
    func tell(_ connection: any SQLConnection) {
        guard let channel else { return }
        let wait = state.withLock { state -> Double? in
            let now = ContinuousClock.now
            guard !state.isTelling else { return nil }
            let age = state.toldAt.map { (now - $0) / .seconds(1) } ?? .infinity
            guard age < Self.fewestSeconds else {
                state.toldAt = now
                return 0
            }
            state.isTelling = true
            return Self.fewestSeconds - age
        }
        guard let wait else { return }
        if wait == 0 { return Self.send(channel, connection) }
        queue.asyncAfter(deadline: .now() + wait) { [self] in tellLater(channel) }
    }

    /// On a connection of its own: the store's may be in a transaction by then.
    private func tellLater(_ channel: String) {
        state.withLock { ($0.toldAt, $0.isTelling) = (.now, false) }
        teller.withLock { teller in
            if teller == nil { teller = try? database.connect(.local) }
            if let teller { Self.send(channel, teller) }
        }
    }

    /// A hint that is lost is found by the next look.
    private static func send(_ channel: String, _ connection: any SQLConnection) {
        _ = try? connection.query("SELECT pg_notify(?1, '')", [.text(channel)]) { _ in }
    }
}

internal import Foundation
internal import TakeupLanes

/// The clock of a database, which all its users share: a server's, or for a file this machine's.
///
/// Asks a server once a minute and counts on by a clock that nobody sets, so that the clocks of the machines that use the
/// server may differ.
public final class DatabaseClock: Sendable {
    private static let freshSeconds = 60.0

    private struct Reading {
        /// Seconds since 1970, as the server said, and when it said so.
        let seconds: Double
        let at: ContinuousClock.Instant
    }

    private let reading = Locked<Reading?>(nil)

    public init() {}

    /// Seconds since 1970.
    public func now() -> Double {
        guard let known = reading.withLock({ $0 }) else { return Date().timeIntervalSince1970 }
        return known.seconds + (ContinuousClock.now - known.at) / .seconds(1)
    }

    /// Reads a server's clock where the last reading is old.
    ///
    /// - Throws: `SQLError` with `.step`.
    public func settle(_ connection: any SQLConnection) throws(SQLError) {
        guard connection.dialect == .postgres else { return }
        let known = reading.withLock { $0 }
        if let known, ContinuousClock.now - known.at < .seconds(Self.freshSeconds) { return }
        _ = try read(connection)
    }

    /// Reads a server's clock now.
    ///
    /// - Returns: How long the answer took, in seconds.
    @discardableResult
    func read(_ connection: any SQLConnection) throws(SQLError) -> Double {
        let sent = ContinuousClock.now
        let seconds = try connection.query(
            "SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"
        ) { $0.real(0) }.first
        let answered = ContinuousClock.now
        let trip = answered - sent
        if let seconds {
            // Said half-way between question and answer.
            reading.withLock { $0 = Reading(seconds: seconds, at: sent + trip / 2) }
        }
        return trip / .seconds(1)
    }
}

internal import TakeupLanes

/// Tells which requests for a result are one use of it: players ask for one file in many parts.
final class ReadSessions: Sendable {
    /// Who reads what.
    struct Reader: Hashable, Sendable {
        var peer: String
        var agent: String
        var key: String
    }

    /// Without a part for so long, the next one begins another use.
    static let idleSeconds = 60.0
    private static let mostReaders = 4096

    private let lastUses = Locked<[Reader: Double]>([:])

    /// Notes that a reader gets bytes.
    ///
    /// - Parameters:
    ///   - reader: Who, and what of.
    ///   - now: Seconds of a clock that only goes forward.
    /// - Returns: Whether this begins a use.
    @discardableResult
    func use(_ reader: Reader, now: Double) -> Bool {
        lastUses.withLock { uses in
            defer { uses[reader] = now }
            if let last = uses[reader] { return now - last > Self.idleSeconds }
            if uses.count >= Self.mostReaders {
                uses = uses.filter { now - $0.value <= Self.idleSeconds }
                if uses.count >= Self.mostReaders { uses = [:] }
            }
            return true
        }
    }
}

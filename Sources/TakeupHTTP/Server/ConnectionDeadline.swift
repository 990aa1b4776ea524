/// Decides when a client has kept its connection for long enough without using it.
struct ConnectionDeadline {
    enum Activity: Equatable {
        /// For a head: the first one of the connection, or another.
        case waiting(isFirst: Bool)
        case receiving
        /// The server's own time has no limit here.
        case working
        case sending
        case closing
    }

    /// Bytes that a body needs to bring in each `idleSeconds`: a tenth of a kilobyte a second.
    static func leastBytes(in seconds: Double) -> Int64 { Int64(seconds * 100) }

    private(set) var activity: Activity
    private var since: Double
    private var mark: Int64

    init(now: Double) {
        (activity, since, mark) = (.waiting(isFirst: true), now, 0)
    }

    mutating func begin(_ activity: Activity, now: Double, progress: Int64 = 0) {
        (self.activity, since, mark) = (activity, now, progress)
    }

    /// Looks at what has happened since the last time; to be asked about once a second.
    ///
    /// - Parameters:
    ///   - now: Seconds of a clock that never goes back.
    ///   - progress: Bytes that came, or that left, since any fixed point.
    ///   - limits: The server's.
    /// - Returns: Whether the connection is to be cut.
    mutating func isOver(now: Double, progress: Int64, limits: HTTPServer.Limits) -> Bool {
        let waited = now - since
        switch activity {
        case .waiting(let isFirst):
            return waited >= (isFirst ? limits.headSeconds : limits.idleSeconds)
        case .working: return false
        case .closing: return waited >= limits.idleSeconds
        case .receiving:
            guard waited >= limits.idleSeconds else { return false }
            let isSlow = progress - mark < Self.leastBytes(in: limits.idleSeconds)
            (since, mark) = (now, progress)
            return isSlow
        case .sending:
            guard progress == mark else {
                (since, mark) = (now, progress)
                return false
            }
            return waited >= limits.idleSeconds
        }
    }
}

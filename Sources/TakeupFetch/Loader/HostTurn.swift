internal import TakeupLanes

/// A place in a host's line, and later the turn to transfer; deallocating the object gives it up.
///
/// Use it on one lane only.
final class HostTurn {
    let host: String
    private let turns: HostConnectionLimiter
    private let number: Int
    private let wake: Bell
    /// Whether the turn has come.
    private(set) var isHad = false

    init(
        _ turns: HostConnectionLimiter, host: String, number: Int, wake: Bell
    ) {
        (self.turns, self.host, self.number, self.wake) = (turns, host, number, wake)
    }

    deinit { turns.leave(host, number) }

    /// Whether somebody else waits for the turn.
    var isWanted: Bool { !turns.line(at: host).waiting.isEmpty }

    /// Waits for the turn.
    ///
    /// - Returns: Whether the turn has come.
    func wait(seconds: Double) -> Bool {
        if !isHad { isHad = wake.wait(seconds: seconds) }
        return isHad
    }
}

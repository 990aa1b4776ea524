internal import Dispatch

/// A place in the line of one host, and then the turn to transfer from it, until the object goes.
///
/// It belongs to one lane.
final class HostTurn {
    let host: String
    private let turns: HostConnectionLimiter
    private let number: Int
    private let wake: DispatchSemaphore
    /// Whether the turn has come.
    private(set) var isHad = false

    init(
        _ turns: HostConnectionLimiter, host: String, number: Int, wake: DispatchSemaphore
    ) {
        (self.turns, self.host, self.number, self.wake) = (turns, host, number, wake)
    }

    deinit { turns.leave(host, number) }

    /// Whether somebody else waits for it.
    var isWanted: Bool { !turns.line(at: host).waiting.isEmpty }

    /// Waits for the turn.
    ///
    /// - Returns: Whether it has come.
    func wait(seconds: Double) -> Bool {
        if !isHad { isHad = wake.wait(timeout: .now() + seconds) == .success }
        return isHad
    }
}

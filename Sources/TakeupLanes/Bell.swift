internal import Dispatch

/// Wakes a thread that waits; each ring that nobody waits for ends a later wait.
///
/// Waits go by a clock that nobody sets. On Linux those of `DispatchSemaphore` and `NSCondition` do not: they end at a
/// time of the wall clock, so that one that is set back by ten minutes makes a wait of a second take ten minutes.
public final class Bell: Sendable {
    /// More than any wait, in seconds.
    private static let longestSeconds = 1e9

    private struct State {
        var rings = 0
        /// Holds up who waits until the next ring; nil if nobody has waited since the last.
        var gate: DispatchGroup?
    }

    private let state = Locked(State())

    public init() {}

    deinit {
        // A group may not end before it was left.
        state.withLock { $0.gate }?.leave()
    }

    /// Ends one wait: one that has begun, or the next.
    public func ring() {
        let gate = state.withLock { state in
            defer { state.gate = nil }
            state.rings += 1
            return state.gate
        }
        gate?.leave()
    }

    /// Waits for a ring.
    ///
    /// - Parameter seconds: For so long at most; nothing below 0 waits.
    /// - Returns: Whether it rang.
    @discardableResult
    public func wait(seconds: Double) -> Bool {
        wait(until: .now + .seconds(min(max(seconds, 0), Self.longestSeconds)))
    }

    /// Waits for a ring until a time.
    ///
    /// - Returns: Whether it rang.
    @discardableResult
    public func wait(until end: ContinuousClock.Instant) -> Bool {
        while let gate = closedGate() {
            let left = (end - .now) / .seconds(1)
            guard left > 0 else { return false }
            // A group's wait is of a length, not until a time.
            _ = gate.wait(timeout: .now() + left)
        }
        return true
    }

    /// Takes a ring.
    ///
    /// - Returns: What to wait for before the next look; nil if there was a ring.
    private func closedGate() -> DispatchGroup? {
        state.withLock { state in
            guard state.rings == 0 else {
                state.rings -= 1
                return nil
            }
            if let gate = state.gate { return gate }
            let gate = DispatchGroup()
            gate.enter()
            state.gate = gate
            return gate
        }
    }
}

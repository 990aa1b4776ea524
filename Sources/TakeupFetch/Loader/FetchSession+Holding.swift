internal import TakeupLanes

extension FetchSession.State {
    /// Whether to hold the current answer for a future reader, because the origin would restart at
    /// byte 0.
    var keepsAnswer: Bool {
        !isClosed && !honoursRanges && running?.answeredAt != nil
    }
}

extension FetchSession {
    /// Seconds that an answer is held for a reader; origins give up after about a minute.
    private static let holdSeconds = 5.0

    /// Holds an unresumable answer until a reader comes; the origin waits too.
    ///
    /// - Parameter onHold: Called before each check while the answer is held.
    /// - Returns: `false` if no reader came in time.
    func holdsAnswer(onHold: () -> Void) -> Bool {
        let end = Self.monotonicSeconds + Self.holdSeconds
        while true {
            let isHeld = state.withLock { state in
                let isHeld =
                    !state.isNeeded && state.keepsAnswer && state.running?.isNearlyDone != true
                state.running?.isHeld = isHeld
                return isHeld
            }
            guard isHeld else { return true }
            let left = end - Self.monotonicSeconds
            guard left > 0 else {
                state.withLock { $0.running?.hasYielded = true }
                return false
            }
            onHold()
            pause.wait(seconds: min(left, Self.lookSeconds))
        }
    }
}

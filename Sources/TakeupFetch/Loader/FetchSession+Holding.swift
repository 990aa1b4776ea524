internal import Dispatch
internal import TakeupLanes

extension FetchSession.State {
    /// Whether the answer under way is worth waiting for who will read it: its origin gives the first byte again to who
    /// asks again for any.
    var keepsAnswer: Bool {
        !isClosed && !honoursRanges && running?.answeredAt != nil
            && (awaitsReader || readers.values.contains { !$0.isCancelled })
    }
}

extension FetchSession {
    /// An answer waits so long for somebody to read it; origins give up after a minute or so.
    private static let holdSeconds = 5.0

    /// Lets an answer that could not be had again from where it is wait for who will read it; the origin waits too.
    ///
    /// - Parameter onHold: Called while it waits, before each look.
    /// - Returns: `false` when nobody has come in time.
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
            _ = pause.wait(timeout: .now() + min(left, Self.lookSeconds))
        }
    }
}

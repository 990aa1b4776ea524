import Foundation

/// State of several threads behind one lock, whose changes can be waited for.
final class Guarded<State> {
    private let condition = NSCondition()
    private var state: State

    init(_ state: State) {
        self.state = state
    }

    /// Reads or changes the state alone; whoever waits looks again.
    func with<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body(&state)
    }

    /// Waits until something holds, and says whether it does.
    func wait(seconds: Double, until holds: (inout State) -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !holds(&state) {
            guard condition.wait(until: deadline) else { return holds(&state) }
        }
        return true
    }
}

// Safe: the state is read and written under `condition` only.
extension Guarded: @unchecked Sendable {}

internal import Foundation

/// State protected by one lock that Thread Sanitizer understands.
///
/// Never call other code, await or create a continuation inside `withLock`.
public final class Locked<State>: Sendable {
    private let lock = NSLock()
    // Safe: read and written under `lock` only.
    nonisolated(unsafe) private var state: State

    public init(_ state: sending State) {
        self.state = state
    }

    /// Runs `body` with exclusive access to the state.
    public func withLock<Value, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Value
    ) throws(Failure) -> sending Value {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}

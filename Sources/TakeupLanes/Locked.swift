internal import Foundation

/// State behind one lock, which Thread Sanitizer understands.
///
/// Never call out, await or make a continuation inside `withLock`.
public final class Locked<State>: Sendable {
    private let lock = NSLock()
    // Safe: read and written under `lock` only.
    nonisolated(unsafe) private var state: State

    public init(_ state: sending State) {
        self.state = state
    }

    /// Runs `body` while no one else can see the state.
    public func withLock<Value, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Value
    ) throws(Failure) -> sending Value {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}

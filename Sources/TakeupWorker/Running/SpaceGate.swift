internal import TakeupLanes

/// Keeps lanes from starting work while there is no room for it.
final class SpaceGate: Sendable {
    private struct State {
        var needBytes: Int64?
    }

    private let state = Locked(State())

    /// Bytes that must be free before work goes on; nil while nothing is in the way.
    var needBytes: Int64? { state.withLock { $0.needBytes } }

    /// - Returns: Whether it was open before.
    func close(needBytes: Int64) -> Bool {
        state.withLock { state in
            let wasOpen = state.needBytes == nil
            state.needBytes = max(needBytes, state.needBytes ?? 0)
            return wasOpen
        }
    }

    /// - Returns: Whether it was closed before.
    func open() -> Bool {
        state.withLock { state in
            defer { state.needBytes = nil }
            return state.needBytes != nil
        }
    }
}

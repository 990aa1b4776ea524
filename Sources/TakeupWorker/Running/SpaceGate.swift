internal import TakeupLanes

/// Keeps lanes from starting work while there is no room for it.
final class SpaceGate: Sendable {
    /// What has to be free before work goes on.
    struct Need: Sendable, Equatable {
        /// A folder on the file system that is full.
        let folder: String
        let bytes: Int64
        /// When it is tried again whether or not there is room: other jobs may need less.
        let until: ContinuousClock.Instant
    }

    private let state = Locked<Need?>(nil)

    /// Nil while nothing is in the way.
    var need: Need? { state.withLock { $0 } }

    /// - Returns: Whether it was open before; a need that is there already stays until it is met.
    func close(_ need: Need) -> Bool {
        state.withLock { state in
            guard state == nil else { return false }
            state = need
            return true
        }
    }

    /// - Returns: Whether it was closed before.
    func open() -> Bool {
        state.withLock { state in
            defer { state = nil }
            return state != nil
        }
    }
}

internal import TakeupLanes

/// Keeps lanes from starting work while there is no room for it.
final class DiskSpaceGate: Sendable {
    /// What has to be free before work goes on.
    struct Need: Sendable, Equatable {
        /// A folder on the file system that is full.
        let folder: String
        let bytes: Int64
        /// When it is tried again whether or not there is room: other jobs may need less.
        let until: ContinuousClock.Instant
    }

    private struct State {
        var need: Need?
        /// What was said to be full, until it is said that work goes on.
        var told: String?
        /// When it was opened without any sign of room.
        var triedAt: ContinuousClock.Instant?
    }

    /// A try that meets no full disk for so long, in seconds, has found room: a job may take its time to fill one.
    private static let trialSeconds = 60.0

    private let state = Locked(State())

    /// Nil while nothing is in the way.
    var need: Need? { state.withLock { $0.need } }

    /// - Returns: Whether that is to be said: a need that is there already stays until it is met, and one folder is told
    ///   once, however often it is tried in vain.
    func close(_ need: Need) -> Bool {
        state.withLock { state in
            guard state.need == nil else { return false }
            (state.need, state.triedAt) = (need, nil)
            defer { state.told = need.folder }
            return state.told != need.folder
        }
    }

    /// - Returns: Whether it was closed before.
    func open() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.need != nil
        }
    }

    /// Lets jobs try, which may need less than there was none for.
    func letTry(now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            guard state.need != nil else { return }
            (state.need, state.triedAt) = (nil, now)
        }
    }

    /// Notes that a job has found room for all that it writes.
    ///
    /// - Returns: Whether that is the end of a try.
    func noteResult() -> Bool {
        state.withLock { state in
            guard state.need == nil, state.triedAt != nil else { return false }
            state = State()
            return true
        }
    }

    /// - Returns: Whether a try has found room, once.
    func hasFoundRoom(now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            guard state.need == nil, let began = state.triedAt,
                now - began >= .seconds(Self.trialSeconds)
            else { return false }
            state = State()
            return true
        }
    }
}

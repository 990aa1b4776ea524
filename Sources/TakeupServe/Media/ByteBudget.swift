internal import TakeupLanes

/// Bounds the bytes that are held at once, and never waits: what does not fit is refused.
final class ByteBudget: Sendable {
    /// Bytes that somebody holds; they count until the last reference goes.
    final class Charge: Sendable {
        private let budget: ByteBudget
        private let bytes = Locked(0)

        fileprivate init(_ budget: ByteBudget) { self.budget = budget }

        deinit { budget.release(bytes.withLock { $0 }) }

        /// Counts more bytes.
        ///
        /// - Returns: `false` if they do not fit; nothing is counted then.
        func add(_ more: Int) -> Bool {
            guard budget.take(more) else { return false }
            bytes.withLock { $0 += more }
            return true
        }
    }

    private let most: Int
    /// Lets go of what is held for nobody in particular.
    private let onScarcity: @Sendable () -> Void
    private let state = Locked((now: 0, most: 0))

    init(most: Int, onScarcity: @escaping @Sendable () -> Void) {
        (self.most, self.onScarcity) = (most, onScarcity)
    }

    /// Bytes that are held now, and the most that ever were.
    var held: (now: Int, most: Int) { state.withLock { $0 } }

    func charge() -> Charge { Charge(self) }

    private func take(_ bytes: Int) -> Bool {
        if fits(bytes) { return true }
        onScarcity()
        return fits(bytes)
    }

    private func fits(_ bytes: Int) -> Bool {
        state.withLock { state in
            guard bytes <= most - state.now else { return false }
            state.now += bytes
            state.most = max(state.most, state.now)
            return true
        }
    }

    private func release(_ bytes: Int) { state.withLock { $0.now -= bytes } }
}

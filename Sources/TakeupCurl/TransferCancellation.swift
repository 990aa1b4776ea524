internal import CTakeupCurl
internal import TakeupLanes

/// Ends transfers from any thread, at once even while they wait for a silent origin.
public final class TransferCancellation: Sendable {
    private struct State {
        var isCancelled = false
        /// The multi handles of the transfers that are running, as numbers.
        var running: [UInt] = []
    }

    private let state = Locked(State())

    public init() {}

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends what is running, and all that is begun with it later, with `.cancelled`.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Under the lock, so that no handle is freed meanwhile; waking never blocks.
            for address in state.running {
                takeup_multi_wakeup(UnsafeMutableRawPointer(bitPattern: address))
            }
        }
    }

    func begin(_ multi: UnsafeMutableRawPointer) {
        state.withLock { $0.running.append(UInt(bitPattern: multi)) }
    }

    /// After this the handle may be freed.
    func end(_ multi: UnsafeMutableRawPointer) {
        state.withLock { state in
            state.running.removeAll { $0 == UInt(bitPattern: multi) }
        }
    }
}

internal import CTakeupCurl
internal import TakeupLanes

/// Cancels transfers from any thread, at once, even while they wait for a silent origin.
public final class TransferCancellation: Sendable {
    private struct State {
        var isCancelled = false
        /// The multi handles of the running transfers, as numbers.
        var running: [UInt] = []
    }

    private let state = Locked(State())
    private let isAsked: @Sendable () -> Bool

    /// - Parameter isAsked: Asked several times a second while a transfer runs; `true` cancels too.
    public init(_ isAsked: @escaping @Sendable () -> Bool = { false }) { self.isAsked = isAsked }

    public var isCancelled: Bool { state.withLock { $0.isCancelled } || isAsked() }

    /// Ends all running transfers, and later ones with this object, with `.cancelled`.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Keep the lock, so that no handle is freed during the loop; waking never blocks.
            for address in state.running {
                takeup_multi_wakeup(UnsafeMutableRawPointer(bitPattern: address))
            }
        }
    }

    func begin(_ multi: UnsafeMutableRawPointer) {
        state.withLock { $0.running.append(UInt(bitPattern: multi)) }
    }

    /// Unregisters a handle, which may be freed afterwards.
    func end(_ multi: UnsafeMutableRawPointer) {
        state.withLock { state in
            state.running.removeAll { $0 == UInt(bitPattern: multi) }
        }
    }
}

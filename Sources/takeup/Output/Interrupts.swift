import Foundation
import TakeupLanes

/// Receives SIGINT and SIGTERM on a thread of its own and passes them on.
///
/// The first one asks the running command to stop; one that finds nothing to stop, or comes second,
/// ends the program at once.
final class Interrupts: Sendable {
    private struct State {
        var stop: (@Sendable (Int32) -> Void)?
        var first: Int32?
    }

    private let state = Locked(State())
    private let leave: @Sendable (Int32) -> Void

    /// - Parameter leave: Ends the program with an exit code; tests record it instead.
    init(leave: @escaping @Sendable (Int32) -> Void = { _exit($0) }) {
        self.leave = leave
    }

    /// The signal that asked to stop; nil while none did.
    var signal: Int32? { state.withLock { $0.first } }

    /// Says how to stop the running command; nil when there is nothing to stop any more.
    func setStop(_ stop: (@Sendable (Int32) -> Void)?) {
        state.withLock { $0.stop = stop }
    }

    /// Takes one signal, on any thread.
    func deliver(_ signal: Int32) {
        let stop: (@Sendable (Int32) -> Void)? = state.withLock { state in
            guard state.first == nil, let stop = state.stop else { return nil }
            state.first = signal
            return stop
        }
        guard let stop else {
            leave(128 + signal)
            return
        }
        stop(signal)
    }

    /// Keeps the signals from every thread made later and waits for them on one of its own.
    ///
    /// - Note: Call it once, on the first thread, before any other exists.
    func listen() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waiter = Thread { [signals] in
            var signals = signals
            var received: Int32 = 0
            while true {
                if sigwait(&signals, &received) == 0 { self.deliver(received) }
            }
        }
        waiter.stackSize = 512 * 1024
        waiter.start()
    }
}

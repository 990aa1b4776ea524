import Foundation
import TakeupLanes

/// Receives SIGINT and SIGTERM on a thread of its own and passes them on.
///
/// Each asks the running command to stop, more firmly than the one before; one that finds nothing to stop, or
/// comes after the command's last way, ends the program at once. Twice within 50 ms counts once (`SignalEcho`).
final class Interrupts: Sendable {
    private struct State {
        var stops: [@Sendable (Int32) -> Void] = []
        var reload: (@Sendable () -> Void)?
        var isReloading = false
        /// Whether another reload was asked for while one goes on.
        var isReloadOwed = false
        /// Signals that were passed on.
        var count = 0
        var first: Int32?
    }

    private let state = Locked(State())
    private let leave: @Sendable (Int32) -> Void
    private let patience: Double

    /// - Parameters:
    ///   - patience: Seconds that a command may take to stop at once; what hangs longer, such as on a server that stands
    ///     still, is ended like a killed process.
    ///   - leave: Ends the program with an exit code; tests record it instead.
    init(
        patience: Double = 20, leave: @escaping @Sendable (Int32) -> Void = { _exit($0) }
    ) {
        (self.patience, self.leave) = (patience, leave)
    }

    /// The signal that asked to stop; nil while none did.
    var signal: Int32? { state.withLock { $0.first } }

    /// Says how to stop the running command; nil when there is nothing to stop any more.
    func setStop(_ stop: (@Sendable (Int32) -> Void)?) {
        setStops(stop.map { [$0] } ?? [])
    }

    /// Says how to stop the running command at the first signal, at the second, and so on.
    func setStops(_ stops: [@Sendable (Int32) -> Void]) {
        state.withLock { $0.stops = stops }
    }

    /// Says what SIGHUP does from now on, never twice at the same time; until then it ends the program as ever.
    func setReload(_ reload: @escaping @Sendable () -> Void) {
        state.withLock { $0.reload = reload }
        Self.take([SIGHUP])
    }

    /// Lets signals that mean nothing to a program that runs for years, and would end it, do nothing from now on.
    ///
    /// - Parameter hangUp: Whether SIGHUP is among them: not where its terminal goes.
    static func overlook(hangUp: Bool) {
        var action = sigaction()
        action.sa_flags = SA_RESTART
        // No signal is ignored: the programs that this one starts would inherit that.
        action.__sigaction_handler.sa_handler = { _ in }
        for number in [SIGUSR1, SIGUSR2] + (hangUp ? [SIGHUP] : []) {
            sigaction(number, &action, nil)
        }
    }

    /// Takes one signal, on any thread.
    func deliver(_ signal: Int32) {
        if signal == SIGHUP { return reload() }
        let stop: (@Sendable (Int32) -> Void)? = state.withLock { state in
            guard state.count < state.stops.count else { return nil }
            state.first = state.first ?? signal
            state.count += 1
            return state.stops[state.count - 1]
        }
        guard let stop else {
            leave(128 + signal)
            return
        }
        let isLast = state.withLock { $0.count > 1 && $0.count == $0.stops.count }
        if isLast {
            Thread { [self] in
                Thread.sleep(forTimeInterval: patience)
                leave(128 + signal)
            }.start()
        }
        stop(signal)
    }

    /// One after the other; all that are asked for while one goes on are one more.
    private func reload() {
        let isFirst = state.withLock { state in
            defer { state.isReloading = true }
            state.isReloadOwed = state.isReloading
            return !state.isReloading
        }
        guard isFirst else { return }
        repeat {
            state.withLock { $0.reload }?()
        } while state.withLock({ state in
            defer { state.isReloadOwed = false }
            state.isReloading = state.isReloadOwed
            return state.isReloadOwed
        })
    }

    /// Takes the signals from their default, which ends the program, from this moment on.
    ///
    /// Call it once.
    func listen() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        signalPipe = ends[1]
        let reader = ends[0]
        let listener = Thread { [self] in
            var number: UInt8 = 0
            var echo = SignalEcho()
            while read(reader, &number, 1) == 1 {
                let signal = Int32(number)
                // What is to be read again may have changed since.
                if signal != SIGHUP, echo.isEcho(signal, at: .now) { continue }
                // A second signal must get through while the first is still being acted on.
                Thread { self.deliver(signal) }.start()
            }
        }
        listener.start()
        Self.take([SIGINT, SIGTERM])
    }

    private static func take(_ signals: [Int32]) {
        var action = sigaction()
        action.sa_flags = SA_RESTART
        action.__sigaction_handler.sa_handler = passOn
        for number in signals { sigaction(number, &action, nil) }
    }
}

// Safe: written once, before the handler that reads it is installed.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Runs inside a signal handler: does nothing but one write.
private func passOn(_ signal: Int32) {
    let before = errno
    var number = UInt8(truncatingIfNeeded: signal)
    _ = write(signalPipe, &number, 1)
    errno = before
}

import Foundation

/// Ends a wait on another thread; a ring that nobody waits for ends the next wait.
final class HookBell: Sendable {
    private let rung = DispatchSemaphore(value: 0)

    func ring() { rung.signal() }

    func wait(seconds: Double) {
        guard rung.wait(timeout: .now() + seconds) == .success else { return }
        // Earlier rings were for this look too.
        while rung.wait(timeout: .now()) == .success {}
    }
}

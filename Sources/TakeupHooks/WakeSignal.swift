internal import Foundation

/// Ends a wait on another thread; a ring that nobody waits for ends the next wait.
package final class WakeSignal: Sendable {
    private let rung = DispatchSemaphore(value: 0)

    package func ring() { rung.signal() }

    package func wait(seconds: Double) {
        guard rung.wait(timeout: .now() + seconds) == .success else { return }
        // Earlier rings were for this look too.
        while rung.wait(timeout: .now()) == .success {}
    }
}

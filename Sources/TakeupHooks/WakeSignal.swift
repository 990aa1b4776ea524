internal import TakeupLanes

/// Ends a wait on another thread; a ring that nobody waits for ends the next wait.
package final class WakeSignal: Sendable {
    private let bell = Bell()

    package func ring() { bell.ring() }

    package func wait(seconds: Double) {
        guard bell.wait(seconds: seconds) else { return }
        // Earlier rings were for this look too.
        while bell.wait(seconds: 0) {}
    }
}

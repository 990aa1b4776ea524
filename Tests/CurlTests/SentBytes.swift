import Foundation
import TakeupLanes

/// What a server has sent, watched by the test.
final class SentBytes: Sendable {
    private let bytes = Locked(0)

    func add(_ count: Int) { bytes.withLock { $0 += count } }

    /// Waits until nothing more is sent for a while.
    func whenStill() -> Int {
        var last = -1
        var still = 0
        while still < 10 {
            usleep(20_000)
            let now = bytes.withLock { $0 }
            still = now == last ? still + 1 : 0
            last = now
        }
        return last
    }
}

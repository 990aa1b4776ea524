import Dispatch
import TakeupFFmpeg
import TakeupLanes

/// How a read on another thread failed.
final class FailedRead: Sendable {
    private let status = Locked<FFmpegStatus?>(nil)
    private let end = DispatchSemaphore(value: 0)

    func end(_ status: FFmpegStatus) {
        self.status.withLock { $0 = status }
        end.signal()
    }

    /// - Returns: nil when it has not ended in time.
    func wait() -> FFmpegStatus? {
        guard end.wait(timeout: .now() + 20) == .success else { return nil }
        return status.withLock { $0 }
    }
}

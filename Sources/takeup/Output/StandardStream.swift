import Foundation
import TakeupLanes

/// A standard stream that never kills the program and, where it must not, never holds it up.
final class StandardStream: TextSink {
    /// Bytes a write hands over at once: what a pipe that is ready takes without blocking.
    private static let chunk = 4096

    private struct State {
        var isGone = false
        /// Why writing failed, other than that nobody reads.
        var failure: Int32?
        /// How long a full pipe may hold up one write, in milliseconds; nil waits for its reader.
        var patience: Int32?
    }

    private let descriptor: Int32
    private let state: Locked<State>

    init(descriptor: Int32, patience: Int32?) {
        self.descriptor = descriptor
        state = Locked(State(patience: patience))
    }

    static let output = StandardStream(descriptor: STDOUT_FILENO, patience: nil)
    static let diagnostics = StandardStream(descriptor: STDERR_FILENO, patience: 100)

    /// Why text was lost that somebody wanted to read, such as a full disk; nil when none was.
    var lossReason: String? {
        state.withLock { $0.failure }.map { String(cString: strerror($0)) }
    }

    /// From now on a reader that has stopped reading holds up nothing for long.
    func hurry() {
        state.withLock { $0.patience = 500 }
    }

    /// Text that nobody can or wants to read any more is dropped.
    func write(_ text: String) {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count, waitUntilReady() {
            let end = min(offset + Self.chunk, bytes.count)
            let written = bytes[offset..<end].withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if written >= 0 {
                offset += written
            } else if errno != EINTR, errno != EAGAIN {
                let reason = errno
                state.withLock { state in
                    state.isGone = true
                    if reason != EPIPE { state.failure = reason }
                }
            }
        }
    }

    private func waitUntilReady() -> Bool {
        var waited: Int32 = 0
        while true {
            let (isGone, patience) = state.withLock { ($0.isGone, $0.patience) }
            if isGone { return false }
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let step: Int32 = 50
            // Below 0 a signal woke it, which says nothing about the pipe.
            if poll(&request, 1, step) > 0 { return true }
            waited += step
            if let patience, waited >= patience { return false }
        }
    }
}

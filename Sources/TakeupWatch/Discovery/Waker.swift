internal import Foundation

/// Ends a wait on another thread.
public final class Waker: Sendable {
    /// Readable when a wait has to end.
    let descriptor: Int32
    private let writing: Int32

    init() throws(WatchError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .failed(path: "a pipe", errno: errno) }
        (descriptor, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Ends the wait that is under way, or else the next one, at once; from any thread.
    public func wake() {
        // A full pipe wakes as well.
        _ = write(writing, [1], 1)
    }

    /// Takes back all calls of `wake` so far.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}

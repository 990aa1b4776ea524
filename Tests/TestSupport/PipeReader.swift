import Foundation

/// The reading end of a child's stream and what has come through it so far.
struct PipeReader: ~Copyable {
    private(set) var collected = Data()
    private var descriptor: Int32

    var isOpen: Bool { descriptor >= 0 }

    init(descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        if descriptor >= 0 { Foundation.close(descriptor) }
    }

    /// Waits until one of two streams has something to say, or for the given time.
    static func wait(
        for one: borrowing PipeReader, _ other: borrowing PipeReader, milliseconds: Int32
    ) {
        // `poll` passes over negative descriptors, which closed readers have.
        var waiting = [
            pollfd(fd: one.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        poll(&waiting, nfds_t(waiting.count), milliseconds)
    }

    mutating func readAvailable() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while isOpen {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 {
                collected.append(contentsOf: buffer[..<count])
            } else if count < 0, errno == EAGAIN {
                return
            } else if count == 0 || errno != EINTR {
                close()
            }
        }
    }

    private mutating func close() {
        guard isOpen else { return }
        Foundation.close(descriptor)
        descriptor = -1
    }
}

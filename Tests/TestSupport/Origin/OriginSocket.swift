import Foundation

/// One socket of a `TestOrigin`, every wait of which ends when the origin stops.
///
/// It belongs to one thread. The descriptor is closed with the value.
final class OriginSocket {
    private let descriptor: Int32
    private let stopDescriptor: Int32
    // Linux; the name is hidden behind a feature macro.
    private static let peerLeft: Int16 = 0x2000

    init(descriptor: Int32, stopDescriptor: Int32) {
        self.descriptor = descriptor
        self.stopDescriptor = stopDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Settings of a connection: small buffers, so that little is written ahead of the client.
    func prepareForAnswers() {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        set(SOL_SOCKET, SO_SNDBUF, Int32(128 << 10))
    }

    /// The next connection; nil when there is none after all.
    func accept() throws(OriginEnding) -> Int32? {
        try wait(for: Int16(POLLIN))
        let connection = Foundation.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return connection
    }

    /// Appends what has come; false at the end.
    func receive(into buffer: inout [UInt8]) throws(OriginEnding) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16384)
        while true {
            try wait(for: Int16(POLLIN))
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 { buffer += bytes[..<count] }
            if count >= 0 { return count > 0 }
            guard errno == EINTR || errno == EAGAIN else { throw .clientLeft }
        }
    }

    /// Sends all of it; `sent` says how much went, also when it ends early.
    func send(_ bytes: [UInt8], sent: inout Int) throws(OriginEnding) {
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Foundation.send(
                    descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: Int16(POLLOUT) | Self.peerLeft)
            } else if errno != EINTR {
                throw .clientLeft
            }
        }
    }

    /// Does nothing for a time, unless the client leaves.
    func pause(seconds: Double) throws(OriginEnding) {
        try wait(for: Self.peerLeft, seconds: seconds)
    }

    /// Ends the connection after what was sent has arrived, in good order or with a reset.
    func end(_ ending: OriginCut.Ending) {
        guard ending == .reset else {
            shutdown(descriptor, Int32(SHUT_WR))
            return
        }
        // A reset throws away what has not arrived, and the place of the cut would be vague.
        var waiting: Int32 = 0
        for _ in 0..<2000 where ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0 && waiting > 0 {
            guard (try? pause(seconds: 0.001)) != nil else { break }
        }
        set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ name: Int32, _ value: Value) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Value>.size))
    }

    private func wait(for events: Int16, seconds: Double? = nil) throws(OriginEnding) {
        let clock = ContinuousClock()
        let end = seconds.map { clock.now + .seconds($0) }
        var waiting = [
            pollfd(fd: descriptor, events: events, revents: 0),
            pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let left = end.map { max(0, ($0 - clock.now) / .milliseconds(1)) }
            let timeout = left.map { Int32(min($0.rounded(.up), 1e6)) } ?? -1
            let count = poll(&waiting, nfds_t(waiting.count), timeout)
            if waiting[1].revents != 0 { throw .stopped }
            let gone = waiting[0].revents & (Self.peerLeft | Int16(POLLHUP) | Int16(POLLERR))
            if gone != 0, events & Int16(POLLIN) == 0 { throw .clientLeft }
            if count > 0 { return }
            if let left, left <= 0 { return }
        }
    }
}

internal import CTakeupMicrohttpd
internal import Foundation

/// The ways in which a server ends a connection.
enum SocketEnd {
    /// How long and how many bytes of a refused body are read, so that the client gets to see the answer.
    static let lingerSeconds = 2.0
    static let lingerBytes = 64 << 20

    /// Tells the peer at once that the connection broke, and drops what was not sent.
    static func reset(_ socket: Int32) {
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        // For TCP this sends a reset; a Unix socket refuses it.
        _ = connect(socket, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Ends the answer, and reads for a while what the client still sends.
    ///
    /// A socket that is closed with unread bytes sends a reset, and that may overtake the answer.
    static func linger(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_WR))
        let end = Monotonic.now + lingerSeconds
        var left = lingerBytes
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while left > 0 {
            let milliseconds = Int32((end - Monotonic.now) * 1000)
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard milliseconds > 0, poll(&entry, 1, milliseconds) > 0 else { return }
            let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return }
            left -= count
        }
    }

    /// Sends all bytes, or as many as the peer takes in two seconds.
    ///
    /// - Returns: How many were sent.
    static func send(_ bytes: [UInt8], to socket: Int32) -> Int {
        let end = Monotonic.now + lingerSeconds
        var sent = 0
        while sent < bytes.count {
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = bytes.withUnsafeBytes { raw in
                Foundation.send(socket, raw.baseAddress.map { $0 + sent }, raw.count - sent, flags)
            }
            if count > 0 {
                sent += count
                continue
            }
            guard count < 0, errno == EAGAIN || errno == EINTR else { break }
            let milliseconds = Int32((end - Monotonic.now) * 1000)
            var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
            guard milliseconds > 0, poll(&entry, 1, milliseconds) > 0 else { break }
        }
        return sent
    }
}

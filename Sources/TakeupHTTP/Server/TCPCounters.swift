internal import Foundation

/// What the kernel counts of one TCP connection.
///
/// - Note: Source: `struct tcp_info` of Linux 4.19, whose offsets are part of the kernel's promise; its header collides with the C library's.
struct TCPCounters {
    /// Bytes that the peer has confirmed.
    let acknowledged: Int64
    /// Bytes that were written to the socket.
    let written: Int64

    /// - Returns: nil for another kind of socket, or an older kernel.
    init?(_ socket: Int32) {
        let information: Int32 = 11  // TCP_INFO
        var bytes = [UInt8](repeating: 0, count: 216)
        var length = socklen_t(bytes.count)
        guard getsockopt(socket, Int32(IPPROTO_TCP), information, &bytes, &length) == 0,
            length == bytes.count
        else { return nil }
        let counters = bytes.withUnsafeBytes { raw in
            (
                acknowledged: raw.loadUnaligned(fromByteOffset: 120, as: Int64.self),
                unsent: raw.loadUnaligned(fromByteOffset: 144, as: UInt32.self),
                sent: raw.loadUnaligned(fromByteOffset: 200, as: Int64.self),
                sentAgain: raw.loadUnaligned(fromByteOffset: 208, as: Int64.self)
            )
        }
        acknowledged = counters.acknowledged
        written = counters.sent - counters.sentAgain + Int64(counters.unsent)
    }
}

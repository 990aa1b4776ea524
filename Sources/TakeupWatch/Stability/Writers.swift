internal import Foundation
internal import TakeupFiles

/// Whether anybody has a file open for writing, where the system can tell.
///
/// Asks for a read lease, which the kernel grants only while no descriptor or mapping of any process
/// can write to the file, and gives it back at once. Who opens the file for writing in that moment
/// waits until then; one who opens without waiting (`O_NONBLOCK`) is refused in it.
///
/// - Note: Source: Linux, `fs/locks.c` and `fs/fcntl.c`; fcntl(2), "Leases".
public enum Writers: Sendable, Equatable {
    case none
    case some
    /// Another machine may write it, it is not ours, or it cannot be opened.
    case unknown

    // `include/uapi/asm-generic/fcntl.h`, `include/uapi/linux/fcntl.h`: the C library hides them.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025

    /// Asks about a file below a trusted folder; no link is followed.
    public static func ofFile(at path: String, below root: String) -> Writers {
        // Without waiting: neither for the other end of a pipe nor for another's lease.
        let file = AnchoredPath.open(path, below: root, O_RDONLY | O_NONBLOCK)
        // Somebody else's lease is in the way: of a server whose client writes.
        guard file >= 0 else { return errno == EWOULDBLOCK ? .some : .unknown }
        defer { close(file) }
        return ofFile(file)
    }

    /// Asks about an open file.
    ///
    /// - Parameter descriptor: Open for reading only; a lease that it already has is lost.
    /// - Returns: `unknown` where the system grants no leases: on a network's file systems, for what is
    ///   no regular file, and for another user's file without `CAP_LEASE`.
    public static func ofFile(_ descriptor: Int32) -> Writers {
        ofFile(descriptor) {}
    }

    /// Asks, and for tests calls `whileHeld` with the lease.
    static func ofFile(_ descriptor: Int32, whileHeld: () -> Void) -> Writers {
        // Clients of file servers refuse leases with the errno of a conflict.
        guard FileSystemKind.network("/proc/self/fd/\(descriptor)") == nil else { return .unknown }
        // Who opens the file while the lease is held makes the kernel send a signal, which would be
        // SIGIO and end the process. SIGURG is ignored by default, so that it is never delivered,
        // and as it is no real-time signal the kernel does not fall back to SIGIO for want of room.
        guard fcntl(descriptor, setSignal, SIGURG) == 0 else { return .unknown }
        guard fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 else {
            return errno == EAGAIN ? .some : .unknown
        }
        whileHeld()
        // Not left to `close`: a child between its fork and its program has a copy of the descriptor.
        _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
        return .none
    }

    /// Whether a held lease is being waited for by somebody who writes.
    static func isAwaited(_ descriptor: Int32) -> Bool {
        fcntl(descriptor, getLease) == Int32(F_UNLCK)
    }
}

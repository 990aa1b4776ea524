internal import Foundation

/// Collects what a helper writes to its standard error, without ever holding more than is worth keeping.
struct HelperLog: ~Copyable {
    private static let headBytes = 32 * 1024
    private static let tailBytes = 32 * 1024
    private static let lastBytes = 16 * 1024

    private let reading: Int32
    /// The end for the child; closed once it has it.
    private var writing: Int32
    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    private var isCut = false

    /// - Returns: nil without a descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(reading)
        if writing >= 0 { close(writing) }
    }

    var childEnd: Int32 { writing }

    mutating func closeChildEnd() {
        close(writing)
        writing = -1
    }

    /// Forgets what was collected.
    mutating func begin() {
        drain()
        (head, tail, isCut) = ([], [], false)
    }

    /// Takes what is there now.
    mutating func drain() {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        // A child that writes without end must not keep its reader here.
        for _ in 0..<64 {
            let count = read(reading, &bytes, bytes.count)
            guard count > 0 else { return }
            let room = min(count, Self.headBytes - head.count)
            head += bytes[..<room]
            tail += bytes[room..<count]
            if tail.count > Self.tailBytes {
                tail.removeFirst(tail.count - Self.tailBytes)
                isCut = true
            }
        }
    }

    var text: String {
        String(decoding: head, as: UTF8.self) + (isCut ? "\n[…]\n" : "")
            + String(decoding: tail, as: UTF8.self)
    }

    var lastLines: String {
        String(decoding: (head + tail).suffix(Self.lastBytes), as: UTF8.self)
    }
}

internal import Foundation
package import TakeupProcess

/// Collects the text that a program writes to its two outputs, and keeps the last part.
///
/// Confined to one lane.
package final class HookOutput {
    package static let keptBytes = 8 << 10
    /// Limit of one read, in bytes; a program that writes more waits for the next read.
    private static let bytesAtOnce = 1 << 20

    /// For the child.
    package private(set) var writing: Int32
    private let reading: Int32
    private var kept: [UInt8] = []

    package init() throws(ProcessError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ProcessError(.receive, errno: errno, subject: "a pipe")
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(reading)
        closeWriting()
    }

    /// Once the child has it.
    package func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Takes what has come.
    package func read() {
        var block = [UInt8](repeating: 0, count: 64 << 10)
        var taken = 0
        while taken < Self.bytesAtOnce {
            let count = Foundation.read(reading, &block, block.count)
            guard count > 0 else { return }
            taken += count
            kept += block[..<count]
            if kept.count > Self.keptBytes { kept.removeFirst(kept.count - Self.keptBytes) }
        }
    }

    /// The end of a sentence; empty when nothing was said.
    package var quoted: String {
        let text = String(decoding: kept, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? "" : ": \(text)"
    }
}

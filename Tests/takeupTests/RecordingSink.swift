import TakeupLanes

@testable import takeup

/// Keeps what is written.
final class RecordingSink: TextSink {
    private let written = Locked("")

    var text: String { written.withLock { $0 } }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    func write(_ text: String) {
        written.withLock { $0 += text }
    }
}

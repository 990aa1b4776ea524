import Foundation
import TakeupTelemetry

/// Whether standard error leads to systemd's journal, which takes a line's priority from its begin.
enum JournalStream {
    /// - Parameters:
    ///   - environment: With `JOURNAL_STREAM`, the device and inode of the journal's stream.
    ///   - descriptor: Of the stream that is asked about.
    /// - Returns: `false` without the variable.
    /// - Note: Source: `systemd.exec(5)`, JOURNAL_STREAM; `sd-daemon(3)`, the prefixes.
    static func isThere(
        _ environment: [String: String], descriptor: Int32 = STDERR_FILENO
    ) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && stream == "\(facts.st_dev):\(facts.st_ino)"
    }

    /// Every line of a text with its priority before it, where that goes to the journal.
    static func marked(
        _ text: String, _ level: LogLevel, _ environment: [String: String]
    ) -> String {
        guard isThere(environment) else { return text }
        return text.split(separator: "\n").map { "<\(priority(level))>\($0)\n" }.joined()
    }

    /// - Note: Source: `syslog(3)`.
    static func priority(_ level: LogLevel) -> Int {
        switch level {
        case .error: 3
        case .warning: 4
        case .info: 6
        case .debug: 7
        }
    }
}

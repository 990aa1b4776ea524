import Foundation
import TakeupLanes
import TakeupTelemetry

/// What the FFmpeg libraries say while a command runs: nothing, or each kind of message once.
enum MediaLog {
    /// More kinds than this are not told apart any more, and not shown.
    private static let most = 200

    /// - Parameters:
    ///   - isVerbose: Whether anything is shown.
    ///   - sink: Takes whole lines, from any thread.
    /// - Returns: A log that remembers what it has shown.
    static func make(isVerbose: Bool, to sink: any TextSink) -> Log {
        guard isVerbose else { return .silent }
        let seen = Locked<Set<String>>([])
        return Log(threshold: .warning) { record in
            let text = withoutAddress(record.message)
            let isNew = seen.withLock { seen in
                seen.count < most && seen.insert(kind(of: text)).inserted
            }
            guard isNew else { return }
            sink.write("takeup: ffmpeg \(record.level): \(text.escaped)\n")
        }
    }

    /// `[h264] …` for `[h264 @ 0x55d0c0ffee00] …`: an address tells a reader nothing.
    static func withoutAddress(_ message: String) -> String {
        guard message.hasPrefix("["), let end = message.firstIndex(of: "]"),
            let mark = message[..<end].range(of: " @ 0x")
        else { return message }
        return message[..<mark.lowerBound] + withoutAddressInRest(message[end...])
    }

    private static func withoutAddressInRest(_ rest: Substring) -> String {
        guard rest.hasPrefix("] [") else { return String(rest) }
        return "] " + withoutAddress(String(rest.dropFirst(2)))
    }

    /// The message without its numbers, which differ from frame to frame.
    private static func kind(of message: String) -> String {
        message.split(omittingEmptySubsequences: true, whereSeparator: \.isNumber)
            .joined(separator: "#")
    }
}

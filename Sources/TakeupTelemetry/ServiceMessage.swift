/// What one datagram tells the service manager: at least one of its parts.
///
/// Note: Source: sd_notify(3).
public struct ServiceMessage: Sendable, Equatable {
    /// Where the service is.
    public enum Phase: Sendable, Equatable {
        case ready
        /// - Parameter monotonicMicroseconds: Of the system's clock `CLOCK_MONOTONIC`, now.
        case reloading(monotonicMicroseconds: UInt64)
        case stopping
    }

    public var phase: Phase?
    /// For people; what would break its line is left out.
    public var status: String?
    public var isAlive = false
    /// How much longer the start or the end may take from now, in seconds.
    public var extensionSeconds: Double?

    public init(_ phase: Phase? = nil) {
        self.phase = phase
    }

    public var isEmpty: Bool { text.isEmpty }

    /// One `NAME=VALUE` a line.
    public var text: String {
        var lines: [String] = []
        switch phase {
        case .ready: lines.append("READY=1")
        case .reloading(let time): lines += ["RELOADING=1", "MONOTONIC_USEC=\(time)"]
        case .stopping: lines.append("STOPPING=1")
        case nil: break
        }
        if let status { lines.append("STATUS=\(Self.line(status))") }
        if isAlive { lines.append("WATCHDOG=1") }
        if let extensionSeconds {
            lines.append("EXTEND_TIMEOUT_USEC=\(UInt64(max(0, extensionSeconds) * 1e6))")
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}

internal import CTakeupFFmpeg
internal import Foundation
internal import TakeupLanes
public import TakeupTelemetry

/// Forwards FFmpeg's messages, which are global to the process, to a log.
public enum LogBridge {
    private static let log = Locked<Log>(.silent)

    /// Silences the libraries' messages on standard error, unless `install` has redirected them.
    public static func installDefault() {
        _ = silenced
    }

    private static let silenced: Void = {
        guard !isInstalled.withLock({ $0 }) else { return }
        install(.silent)
    }()

    private static let isInstalled = Locked(false)

    /// Forwards all later messages to `log`, warnings and worse only.
    ///
    /// Call it from one thread before the first encoder is opened, because it sets an environment
    /// variable.
    public static func install(_ log: Log) {
        Self.log.withLock { $0 = log }
        isInstalled.withLock { $0 = true }
        // SVT-AV1 writes to standard error itself; level 1 limits it to errors. A user's own
        // setting stays.
        setenv("SVT_LOG", "1", 0)
        av_log_set_level(AV_LOG_WARNING)
        av_log_set_callback { object, level, format, arguments in
            guard level <= AV_LOG_INFO, let format, let arguments else { return }
            let complaints = Complaints.of(object, level, format)
            guard level <= AV_LOG_WARNING || complaints != nil else { return }
            let line = LogBridge.line(object, level, format, arguments)
            guard !line.isEmpty else { return }
            complaints?.add(line)
            if level <= AV_LOG_WARNING { LogBridge.record(level, line) }
        }
    }

    private static func line(
        _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>,
        _ arguments: CVaListPointer
    ) -> String {
        let line = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            takeup_format_log(object, level, format, arguments, base, 1024)
            return String(cString: base)
        }
        return line.last == "\n" ? String(line.dropLast()) : line
    }

    private static func record(_ level: Int32, _ message: String) {
        let current = log.withLock { $0 }
        current.record(level <= AV_LOG_ERROR ? .error : .warning, message)
    }
}

internal import CTakeupFFmpeg
internal import TakeupLanes

/// What a decoder said of its input, in its own words.
///
/// Decoders go on after most errors, patch pictures up and tell it in the log alone. How many lines they
/// write depends on the input, not on threads and their timing, as their other signs of damage do.
final class Complaints: Sendable {
    private struct State {
        var count = 0
        var first: String?
    }

    private let state = Locked(State())

    var count: Int { state.withLock(\.count) }
    var first: String? { state.withLock(\.first) }

    /// Those of the decoder that wrote a log line; nil when it was none of ours, or the line is no complaint.
    static func of(
        _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>
    ) -> Complaints? {
        // What was patched up for want of data is told without being called an error.
        guard level <= AV_LOG_ERROR || (level <= AV_LOG_INFO && isConcealment(format)),
            let owner = takeup_log_owner(object)
        else { return nil }
        return Unmanaged<Complaints>.fromOpaque(owner).takeUnretainedValue()
    }

    private static func isConcealment(_ format: UnsafePointer<CChar>) -> Bool {
        strncmp(format, "concealing", 10) == 0
    }

    func add(_ line: String) {
        state.withLock { state in
            state.count += 1
            state.first = state.first ?? line
        }
    }
}

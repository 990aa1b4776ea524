internal import CTakeupFFmpeg
internal import TakeupLanes

/// Log messages of a decoder about damaged input.
///
/// Decoders continue after most errors, conceal them and report them only in the log. The number of
/// log lines depends only on the input. Other signs of damage also depend on thread timing.
final class Complaints: Sendable {
    private struct State {
        var count = 0
        var first: String?
    }

    private let state = Locked(State())

    var count: Int { state.withLock(\.count) }
    var first: String? { state.withLock(\.first) }

    /// Returns the complaints of the decoder that wrote a log line; nil if the line is no complaint
    /// or comes from no decoder of ours.
    static func of(
        _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>
    ) -> Complaints? {
        // Concealment of missing data is reported below error level, so it is accepted as well.
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

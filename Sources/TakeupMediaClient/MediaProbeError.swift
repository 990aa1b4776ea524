public import TakeupModel
public import TakeupProcess

/// Why nothing was learned of a file.
public enum MediaProbeError: Error, Sendable, Equatable {
    /// It is no media, or cannot be read; said by the engine.
    case refused(Failure)
    /// Its bytes ended the process that looked at them.
    case crashed(HelperCrash)
    /// It took longer than so many seconds.
    case tooSlow(seconds: Double)
    /// Looking at it held more memory than it may.
    case memoryExceeded(bytes: Int64)
    /// No process could be started to look, which is no fault of the file.
    case unavailable(ProcessError)
    case cancelled

    /// The error in words, without the file's name but where the engine says it.
    public var failure: Failure {
        switch self {
        case .refused(let report): report
        case .crashed(let crash):
            Self.report(
                "helperCrashed", "the process that looked into the file \(crash.cause)",
                Failure.Ending(.internalError, .giveUp))
        case .tooSlow(let seconds):
            Self.report(
                "stalled", "looking into the file took longer than \(seconds) seconds",
                Failure.Ending(.failed, .retry))
        case .memoryExceeded(let bytes):
            Self.report(
                "memoryExceeded", "looking into the file held \(bytes) bytes of memory",
                Failure.Ending(.failed, .giveUp))
        case .unavailable(let error):
            Self.report(
                "helperUnavailable", "no process could be started to look into files: \(error)",
                Failure.Ending(ExitCode(rawValue: 71), .retry))
        case .cancelled: Failure(ExportError.cancelled)
        }
    }

    private static func report(
        _ code: String, _ message: String, _ ending: Failure.Ending
    ) -> Failure {
        Failure(
            code: code, stage: ExportStage.probe.rawValue, message: message,
            hint: "look at the file by itself", ending: ending)
    }
}

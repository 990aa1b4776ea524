public import TakeupModel

/// How one task in a helper ended.
public enum HelperOutcome: Sendable, Equatable {
    /// It is done; an export's output is complete and verified.
    case answered(HelperAnswer)
    case failed(HelperFailure)
    case crashed(HelperCrash)
    /// Nothing had moved for so many seconds; the helper was ended.
    case hung(seconds: Double)
    /// It held more memory than it may; the helper was ended.
    case memoryExceeded(bytes: Int64)
    case cancelled

    /// What a finished export wrote; nil for everything else.
    public var report: ExportReport? {
        if case .answered(.exported(let report)) = self { report } else { nil }
    }

    /// The outcome in words; nil for what is done.
    public var failure: Failure? {
        switch self {
        case .answered: nil
        case .failed(let failure): failure.report
        case .crashed(let crash):
            Self.report(
                "helperCrashed", "the export's process \(crash.cause)", .internalError)
        case .hung(let seconds):
            Self.report(
                "stalled", "the export made no progress for \(Int(seconds)) seconds and was ended")
        case .memoryExceeded(let bytes):
            Self.report(
                "memoryExceeded", "the export held \(bytes) bytes of memory and was ended")
        case .cancelled: Failure(ExportError.cancelled)
        }
    }

    private static func report(
        _ code: String, _ message: String, _ exitCode: ExitCode = .failed
    ) -> Failure {
        Failure(
            code: code, stage: ExportStage.decode.rawValue, message: message,
            hint: "look whether the source is damaged",
            ending: Failure.Ending(exitCode, .retry))
    }
}

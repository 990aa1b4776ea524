internal import Foundation

extension Failure {
    /// Says an export's error in words; total over its cases.
    ///
    /// - Parameters:
    ///   - error: What went wrong.
    ///   - signal: What stopped a cancelled export, which then ends with the signal's exit code.
    public init(_ error: ExportError, signal: Int32? = nil) {
        switch error {
        case .inputMissing, .inputUnreadable, .inputNotPermitted, .notMedia, .unsupported,
            .contentIsProtected, .sourceIncomplete:
            self = Self.aboutInput(error)
        case .outputExists, .outputNotCreated, .outputNotPermitted, .diskFull, .outputFailed,
            .sizeLimitUnreachable, .sizeLimitTooLow, .verificationFailed:
            self = Self.aboutOutput(error)
        case .invalidRequest(let reason, let hint):
            self.init(
                code: "invalidRequest", stage: "plan",
                message: "this export cannot be done as asked: \(reason)", hint: hint,
                ending: .usage)
        case .media(let error, let stage):
            self.init(
                code: "media", stage: stage.rawValue,
                message: "\(Self.activity(stage)): \(error)",
                hint: "look whether the source is damaged",
                ending: Self.canHeal(error) ? Ending(.failed, .retry) : .failed)
        case .process(let report): self = report
        case .cancelled:
            self.init(
                code: "cancelled", stage: "encode",
                message: "the export was cancelled; nothing was left behind",
                hint: "run it again when you want the file", ending: .stopped(by: signal))
        }
    }

    /// Whether it was the machine that failed, not the media.
    private static func canHeal(_ error: MediaFailure) -> Bool {
        error.code == -ENOMEM || error.code == -EIO
    }

    /// What an export was doing in a stage, as the start of a message.
    private static func activity(_ stage: ExportStage) -> String {
        switch stage {
        case .open: "opening the source failed"
        case .probe: "inspecting the source failed"
        case .plan: "planning the export failed"
        case .decode: "decoding the source failed"
        case .filter: "processing pictures or sound failed"
        case .encode: "encoding failed"
        case .mux: "writing the output failed"
        case .publish: "putting the output in place failed"
        case .verify: "checking the output failed"
        }
    }
}

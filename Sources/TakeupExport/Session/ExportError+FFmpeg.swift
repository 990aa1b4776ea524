internal import TakeupFFmpeg

extension ExportError {
    /// What an error of the libraries means for an export.
    init(_ error: FFmpegError, _ stage: ExportStage) {
        switch (error.status, error.operation) {
        case (.interrupted, _): self = .cancelled
        case (.noSpace, _): self = .diskFull(error.subject)
        case (.inputOutput, .write), (.inputOutput, .finish), (.inputOutput, .writeHeader):
            self = .outputFailed(error.subject, reason: "\(error.status)")
        default: self = .media(error, stage: stage)
        }
    }
}

internal import Foundation
package import TakeupFFmpeg

extension ExportError {
    /// Converts an error of the FFmpeg libraries to an export error.
    init(_ error: FFmpegError, _ stage: ExportStage) {
        switch (error.status, error.operation) {
        case (.interrupted, _): self = .cancelled
        case (.noSpace, _): self = .diskFull(error.subject)
        case (_, .write), (_, .finish), (_, .writeHeader):
            self = Self.writing(error) ?? .media(MediaFailure(error), stage: stage)
        default: self = .media(MediaFailure(error), stage: stage)
        }
    }

    /// Converts an errno of a write; nil if the system did not refuse the write.
    private static func writing(_ error: FFmpegError) -> ExportError? {
        switch -error.status.rawValue {
        case EDQUOT: .diskFull(error.subject)
        case EROFS, EACCES, EPERM: .outputNotPermitted(error.subject)
        case EFBIG:
            .outputFailed(error.subject, reason: "file too large for this file system")
        case EIO: .outputFailed(error.subject, reason: "\(error.status)")
        default: nil
        }
    }
}

extension MediaFailure {
    package init(_ error: FFmpegError) {
        self.init(
            operation: error.operation.rawValue, code: error.status.rawValue,
            reason: "\(error.status)", subject: error.subject)
    }
}

extension ExportStage {
    /// Returns the stage of an error during the set-up of an export.
    init(settingUp operation: FFmpegError.Operation) {
        switch operation {
        case .openEncoder, .encode, .setOption: self = .encode
        case .openDecoder, .decode: self = .decode
        case .buildFilter, .filter: self = .filter
        case .writeHeader, .addStream, .createOutput, .write, .finish: self = .mux
        case .allocate, .open, .findStreams, .read, .seek: self = .open
        }
    }
}

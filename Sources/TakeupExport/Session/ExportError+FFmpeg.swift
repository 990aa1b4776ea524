internal import Foundation
package import TakeupFFmpeg

extension ExportError {
    /// What an error of the libraries means for an export.
    init(_ error: FFmpegError, _ stage: ExportStage) {
        switch (error.status, error.operation) {
        case (.interrupted, _): self = .cancelled
        case (.noSpace, _): self = .diskFull(error.subject)
        case (_, .write), (_, .finish), (_, .writeHeader):
            self = Self.writing(error) ?? .media(MediaFailure(error), stage: stage)
        default: self = .media(MediaFailure(error), stage: stage)
        }
    }

    /// What the system said to a write; nil when it was not the system that refused.
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
    /// The stage that an error belongs to which came up while an export was set up.
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

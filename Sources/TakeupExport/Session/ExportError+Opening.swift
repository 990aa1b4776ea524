internal import Foundation
internal import TakeupFFmpeg

extension ExportError {
    /// Why an input could not be opened, from the errno that came back.
    init(opening name: String, _ status: FFmpegStatus) {
        switch -status.rawValue {
        case ENOENT, ENOTDIR: self = .inputMissing(name)
        case EACCES, EPERM: self = .inputNotPermitted(name)
        case EISDIR: self = .folder(name)
        case EINVAL, ENXIO:
            self = .notMedia(name, reason: "it is not a regular file")
        default: self = .inputUnreadable(name, reason: "\(status)")
        }
    }
}

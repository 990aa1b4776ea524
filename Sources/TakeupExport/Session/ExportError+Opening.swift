internal import TakeupFFmpeg
internal import TakeupOutput

extension ExportError {
    /// Converts the errno of a failed open to an export error.
    init(opening name: String, _ status: FFmpegStatus) {
        self.init(opening: name, errno: -status.rawValue)
    }
}

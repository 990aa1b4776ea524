internal import TakeupFFmpeg
internal import TakeupOutput

extension ExportError {
    /// Why an input could not be opened, from the errno that came back.
    init(opening name: String, _ status: FFmpegStatus) {
        self.init(opening: name, errno: -status.rawValue)
    }
}

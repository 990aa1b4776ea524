public import TakeupTimeline

/// What a finished export wrote.
public struct ExportReport: Sendable, Equatable, Codable {
    /// Where the file is.
    public var output: String
    public var bytes: Int64
    public var duration: MediaTime
    /// Video frames written; 0 without video.
    public var frames: Int
    /// SHA-256 of the whole file, in lower-case hexadecimal; nil if Takeup did not compute it.
    public var sha256: String?
    /// Wall time, in seconds.
    public var seconds: Double
    public var warnings: [ExportWarning]
    /// What a salvaged source had lost; nil when it was whole.
    public var loss: LossReport?
    public var poster: String?

    package init(
        output: String, bytes: Int64, duration: MediaTime, frames: Int, sha256: String? = nil,
        seconds: Double, warnings: [ExportWarning], loss: LossReport? = nil, poster: String? = nil
    ) {
        self.output = output
        self.bytes = bytes
        self.duration = duration
        self.frames = frames
        self.sha256 = sha256
        self.seconds = seconds
        self.warnings = warnings
        self.loss = loss
        self.poster = poster
    }
}

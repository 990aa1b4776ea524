/// One decoded frame in the list of FFmpeg's `framemd5`.
public struct FrameHash: Hashable, Sendable {
    public let stream: Int
    /// In ticks of the encoder's time base: one frame of constant rate, or one sample.
    public let ptsTicks: Int64
    public let durationTicks: Int64
    /// Of the raw picture or samples, in bytes.
    public let size: Int
    public let md5: String

    init?(line: Substring) {
        let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
        guard fields.count >= 6, let stream = Int(fields[0]), let pts = Int64(fields[2]),
            let duration = Int64(fields[3]), let size = Int(fields[4])
        else { return nil }
        self.stream = stream
        ptsTicks = pts
        durationTicks = duration
        self.size = size
        md5 = String(fields[5])
    }
}

/// The result of one pass over the sources.
struct PassResult {
    /// The written tracks by output stream, in order.
    var written: [WrittenTrack] = []
    /// Number of written video frames.
    var frames = 0
    /// Number of pictures that the encoder received from the decoder; nil if none was encoded.
    var shownFrames: Int?
    var repeatedFrames = 0
    var droppedFrames = 0
    /// Why the parts of the pictures do not fit together; nil if they do, or if there are none.
    var partFault: String?
    var losses: [LossReport] = []
    var warnings: [ExportWarning] = []

    /// Bytes of all packets.
    var payloadBytes: Int64 { written.map(\.bytes).reduce(0, +) }
}

/// What one pass over the sources made.
struct PassResult {
    /// By stream of the output, in order.
    var written: [WrittenTrack] = []
    /// Video frames written.
    var frames = 0
    /// Pictures that the decoder gave to the encoder; nil where none was encoded.
    var shownFrames: Int?
    var repeatedFrames = 0
    var droppedFrames = 0
    var losses: [LossReport] = []
    var warnings: [ExportWarning] = []

    /// Bytes of all packets.
    var payloadBytes: Int64 { written.map(\.bytes).reduce(0, +) }
}

/// A place in a source where another file, or a programme under other PIDs, begins.
struct SourceSeam: Equatable, Sendable {
    /// Offset in bytes.
    var place: Int64
    /// Bytes that a demuxer of this part must read first, for example tables from before the seam.
    var head: [UInt8] = []
    /// Number of packets after the seam that belong to the previous part.
    var strays = 0
}

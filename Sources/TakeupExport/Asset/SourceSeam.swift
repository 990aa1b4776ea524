/// A place in a source where another file, or a programme under other numbers, begins.
struct SourceSeam: Equatable, Sendable {
    /// In bytes.
    var place: Int64
    /// What a reader of the part must see before the bytes at `place`, such as the tables that stand further back.
    var head: [UInt8] = []
    /// Pieces of pictures and sound behind the seam that belong to what was before it.
    var strays = 0
}

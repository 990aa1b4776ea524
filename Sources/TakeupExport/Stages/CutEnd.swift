/// The end of a copied cut as viewers see it, in ticks of its track.
struct CutEnd: Sendable, Equatable {
    /// Time from which pictures are hidden; they are kept because earlier pictures refer to them.
    let hidden: Int64
    /// End of the last shown picture; may lie after `hidden` by a rounding error.
    let end: Int64
}

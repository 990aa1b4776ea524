/// Where a cut that is copied ends for those who watch it, in ticks of its track.
struct CutEnd: Sendable, Equatable {
    /// Pictures that are shown from here on are hidden; they are there because earlier ones build on them.
    let hidden: Int64
    /// Where the last picture ends that is not hidden; up to a rounding error behind `hidden`.
    let end: Int64
}

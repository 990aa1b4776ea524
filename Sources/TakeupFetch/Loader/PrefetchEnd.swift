/// How a prefetch ended that did not fail.
enum PrefetchEnd: Equatable {
    /// Every byte is here.
    case complete
    /// A live session fetches now; what is here stays.
    case gaveWay
    /// So it was, and what is here would come again: its origin ignores ranges.
    case leftToReader
    /// More would have to let something go.
    case noRoom
    /// Another process fetches it.
    case elsewhere
}

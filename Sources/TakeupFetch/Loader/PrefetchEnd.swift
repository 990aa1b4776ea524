/// The way a successful prefetch ended.
enum PrefetchEnd: Equatable {
    /// Every byte has arrived.
    case complete
    /// A live session fetches now; the stored bytes stay.
    case gaveWay
    /// A live session fetches now, and the stored bytes would be sent again, because the origin
    /// ignores ranges.
    case leftToReader
    /// More bytes would force an eviction.
    case noRoom
    /// Another process fetches the source.
    case elsewhere
}

/// The way a successful prefetch ended.
package enum PrefetchEnd: Equatable {
    /// Every wanted byte has arrived.
    case complete
    /// The source ends before the wanted bytes.
    case beyondEnd
    /// A live session fetches now; the stored bytes stay.
    case gaveWay
    /// A live session fetches now, and the stored bytes would be sent again, because the origin
    /// ignores ranges.
    case leftToReader
    /// More bytes would force an eviction.
    case noRoom
    /// The source is a playlist, and its joined pieces are not wanted.
    case playlist
    /// Another process fetches the source.
    case elsewhere
}

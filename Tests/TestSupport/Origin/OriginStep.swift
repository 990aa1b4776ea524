/// What a `TestOrigin` does next for an answer under way.
enum OriginStep {
    case send(OriginContent, Range<Int64>)
    /// Stand still, until the path was released more often than so.
    case stall(seconds: Double, releases: Int)
    /// The piece is over.
    case done
    /// The body breaks off.
    case cut(OriginCut.Ending)
    case stop
}

/// Where the body of an answer belongs, and of what version it is.
public struct OriginBody: Equatable, Sendable {
    /// The object's byte that comes first; not always the one that was asked for.
    public var start: Int64
    /// Bytes that are promised; nil when only the end of the transfer will tell.
    public var count: Int64?
    public var version: EntityVersion

    public init(start: Int64, count: Int64?, version: EntityVersion) {
        self.start = start
        self.count = count
        self.version = version
    }

    /// Whether it is surely all of the object.
    var isWhole: Bool { start == 0 && count != nil && count == version.length }

    /// How a body ended.
    public enum End: Equatable, Sendable {
        /// Every promised byte came.
        case whole
        /// Nothing was promised and the transfer ended well: this is the object's length.
        case length(Int64)
        /// Bytes are missing from this offset on; what came before it is good.
        case cut(at: Int64)
        /// More came than was promised: the object has grown.
        case grown
    }

    /// Judges the end of the transfer.
    ///
    /// - Parameters:
    ///   - received: Bytes of the body that came.
    ///   - endedWell: Whether the transfer ended as HTTP permits: the last chunk, the last
    ///     promised byte, or a closed connection where nothing was promised.
    /// - Returns: What is known of the object now.
    public func end(received: Int64, endedWell: Bool) -> End {
        if let count {
            if received > count { return .grown }
            return received == count ? .whole : .cut(at: start + received)
        }
        return endedWell ? .length(start + received) : .cut(at: start + received)
    }
}

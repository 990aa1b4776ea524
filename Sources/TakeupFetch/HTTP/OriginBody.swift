/// The position of an answer's body in the object, and the body's version.
public struct OriginBody: Equatable, Sendable {
    /// Offset of the body's first byte in the object; may differ from the requested offset.
    public var start: Int64
    /// Number of promised bytes; nil if only the end of the transfer tells.
    public var count: Int64?
    public var version: EntityVersion
    /// Whether the answer names the body's range, which may also be the whole object.
    public var isPart: Bool

    public init(start: Int64, count: Int64?, version: EntityVersion, isPart: Bool = false) {
        self.start = start
        self.count = count
        self.version = version
        self.isPart = isPart
    }

    /// Whether the body is certainly the whole object.
    var isWhole: Bool { start == 0 && count != nil && count == version.length }

    /// The way a body ended.
    public enum End: Equatable, Sendable {
        /// Every promised byte arrived.
        case whole
        /// No length was promised and the transfer ended well. The value is the object's length, in
        /// bytes.
        case length(Int64)
        /// Bytes from this offset on are missing; the bytes before it are valid.
        case cut(at: Int64)
        /// More bytes arrived than were promised: the object has grown.
        case grown
    }

    /// Judges how the transfer ended.
    ///
    /// - Parameters:
    ///   - received: Number of bytes of the body that arrived.
    ///   - endedWell: Whether the transfer ended as HTTP permits: with the last chunk, the last
    ///     promised byte, or a closed connection if no length was promised.
    /// - Returns: How the body ended.
    public func end(received: Int64, endedWell: Bool) -> End {
        if let count {
            if received > count { return .grown }
            return received == count ? .whole : .cut(at: start + received)
        }
        return endedWell ? .length(start + received) : .cut(at: start + received)
    }
}

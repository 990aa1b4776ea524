/// The segments of one finished stream, in order.
public struct MediaPlaylist: Equatable, Sendable {
    public var targetSeconds: Int64
    public var segments: [Segment]

    /// One segment of media.
    public struct Segment: Equatable, Sendable {
        /// The address as written, not yet resolved or checked.
        public var uri: String
        public var seconds: Double
        /// Byte range in the resource; nil for all of it.
        public var bytes: Range<Int64>?
        public var key: Key?
        /// The initialization section that a demuxer must read first.
        public var map: Map?
        /// Timestamps and formats may change at this segment.
        public var isDiscontinuity: Bool
        /// Sequence number, counted from `EXT-X-MEDIA-SEQUENCE`.
        public var sequence: Int64

        /// The initialization vector, 16 bytes: the key's own, otherwise the segment's sequence
        /// number.
        ///
        /// - Returns: nil if the segment is not encrypted.
        public var initializationVector: [UInt8]? {
            guard let key else { return nil }
            if let vector = key.vector { return vector }
            let number = UInt64(sequence)
            return Array(repeating: 0, count: 8)
                + stride(from: 56, through: 0, by: -8).map {
                    UInt8(truncatingIfNeeded: number >> $0)
                }
        }
    }

    /// A key for AES-128 in CBC mode with padding; each segment is encrypted separately.
    public struct Key: Equatable, Sendable {
        public var uri: String
        /// The initialization vector, 16 bytes; nil to use each segment's sequence number.
        public var vector: [UInt8]?
    }

    /// The initialization section for a demuxer.
    public struct Map: Equatable, Sendable {
        public var uri: String
        public var bytes: Range<Int64>?
        /// The key, which has its own initialization vector.
        public var key: Key?
    }

    /// Total duration of all segments, in seconds.
    public var seconds: Double {
        segments.reduce(0) { $0 + $1.seconds }
    }
}

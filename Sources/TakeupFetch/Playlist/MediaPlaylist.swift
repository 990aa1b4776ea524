/// The segments of one finished stream, in order.
public struct MediaPlaylist: Equatable, Sendable {
    public var targetSeconds: Int64
    public var segments: [Segment]

    /// One piece of media.
    public struct Segment: Equatable, Sendable {
        /// As written: still to be resolved and vetted.
        public var uri: String
        public var seconds: Double
        /// Of the resource; nil for all of it.
        public var bytes: Range<Int64>?
        public var key: Key?
        /// What a demuxer must read first.
        public var map: Map?
        /// Clocks and formats may begin anew here.
        public var isDiscontinuity: Bool
        /// Counts from `EXT-X-MEDIA-SEQUENCE`.
        public var sequence: Int64

        /// The initialization vector, 16 bytes: the key's own, else the number of the segment.
        ///
        /// - Returns: nil for a segment that is not encrypted.
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

    /// AES-128 in CBC mode, padded, each segment by itself.
    public struct Key: Equatable, Sendable {
        public var uri: String
        /// 16 bytes; nil when each segment's number serves.
        public var vector: [UInt8]?
    }

    /// The part that initializes a demuxer.
    public struct Map: Equatable, Sendable {
        public var uri: String
        public var bytes: Range<Int64>?
        /// With its own vector.
        public var key: Key?
    }

    /// Of all segments, in seconds.
    public var seconds: Double {
        segments.reduce(0) { $0 + $1.seconds }
    }
}

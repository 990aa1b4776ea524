/// What `ffprobe` says of a whole file.
public struct ProbedFile: Decodable, Sendable {
    /// The container: its name, length and tags.
    public struct Format: Decodable, Sendable {
        private enum CodingKeys: String, CodingKey {
            case name = "format_name"
            case durationText = "duration"
            case startText = "start_time"
            case sizeText = "size"
            case tags
        }

        /// The demuxer's names, such as `mov,mp4,m4a,3gp,3g2,mj2`.
        public let name: String
        public let tags: [String: String]?
        private let durationText: String?
        private let startText: String?
        private let sizeText: String?

        /// Length in seconds, nil when unknown.
        public var duration: Double? { durationText.flatMap { Double($0) } }
        /// Start in seconds, nil when unknown.
        public var start: Double? { startText.flatMap { Double($0) } }
        /// Size in bytes, nil when unknown.
        public var bytes: Int? { sizeText.flatMap { Int($0) } }
    }

    /// A named stretch of the file.
    public struct Chapter: Decodable, Sendable {
        private enum CodingKeys: String, CodingKey {
            case startText = "start_time"
            case endText = "end_time"
            case tags
        }

        public let tags: [String: String]?
        private let startText: String
        private let endText: String

        /// In seconds.
        public var start: Double { Double(startText) ?? .nan }
        /// In seconds.
        public var end: Double { Double(endText) ?? .nan }
        public var title: String? { tags?["title"] }
    }

    public let streams: [ProbedStream]
    public let chapters: [Chapter]
    public let format: Format

    /// The streams of one type, such as `video`, in file order.
    public func streams(_ type: String) -> [ProbedStream] {
        streams.filter { $0.type == type }
    }
}

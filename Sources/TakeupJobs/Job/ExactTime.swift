public import TakeupTimeline

/// A time that is stored as a fraction, so that nothing of it is rounded away.
public struct ExactTime: Sendable, Hashable {
    public let time: MediaTime

    public init(_ time: MediaTime) {
        self.time = time
    }
}

extension ExactTime: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = MediaTime(parsing: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is no time")
        }
        self.init(time)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(time.value)/\(time.timescale)")
    }
}

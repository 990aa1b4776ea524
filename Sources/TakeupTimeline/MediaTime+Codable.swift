extension MediaTime: Codable {
    /// Encodes the exact fraction of a second, for example `1001/30000`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(value)/\(timescale)")
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let terms = text.split(separator: "/", omittingEmptySubsequences: false)
        guard terms.count == 2, let value = Int64(terms[0]), let timescale = Int64(terms[1]),
            timescale > 0
        else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is no time")
        }
        self.init(value: value, timescale: timescale)
    }
}

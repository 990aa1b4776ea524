extension MediaTime: Codable {
    /// Written as seconds, rounded to the microsecond.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Double(ticks(of: 1, over: 1_000_000)) / 1_000_000)
    }

    public init(from decoder: any Decoder) throws {
        self.init(seconds: try decoder.singleValueContainer().decode(Double.self))
    }
}

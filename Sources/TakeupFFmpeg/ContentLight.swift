/// The brightest pixel and the brightest frame average of a programme.
///
/// - Note: Source: CTA-861.3.
public struct ContentLight: Sendable, Equatable {
    /// Candela a square metre.
    public var maximum: Int
    public var frameAverage: Int
}

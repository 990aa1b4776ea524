/// The light levels of a programme: its brightest pixel and its brightest frame average.
///
/// - Note: Source: CTA-861.3.
public struct ContentLight: Sendable, Equatable {
    /// Light levels in candela per square metre.
    public var maximum: Int
    public var frameAverage: Int
}

/// A picture's size, in pixels.
struct FrameSize: Sendable, Equatable {
    var width: Int
    var height: Int

    /// The largest even size that keeps the shape, is no larger than this and fits the limits.
    ///
    /// - Parameters:
    ///   - maxWidth: Limit, in pixels; nil for none.
    ///   - maxHeight: As `maxWidth`.
    ///   - turns: Whether the limits' long side goes with the picture's long side.
    /// - Returns: Even sizes of at least 2.
    func fitted(maxWidth: Int?, maxHeight: Int?, turns: Bool) -> FrameSize {
        var limits = (width: maxWidth ?? .max, height: maxHeight ?? .max)
        let isPortrait = height > width
        if turns, isPortrait != (limits.height > limits.width) {
            limits = (limits.height, limits.width)
        }
        let scale = min(
            1, Double(limits.width) / Double(width), Double(limits.height) / Double(height))
        let wide = Self.even(Double(width) * scale, atMost: limits.width)
        let tall = Self.even(Double(height) * scale, atMost: limits.height)
        return FrameSize(width: wide, height: tall)
    }

    /// The largest even size of the shape of `other` that fits into this.
    func containing(_ other: FrameSize) -> FrameSize {
        let scale = min(
            Double(width) / Double(other.width), Double(height) / Double(other.height))
        return FrameSize(
            width: Self.even(Double(other.width) * scale, atMost: width),
            height: Self.even(Double(other.height) * scale, atMost: height))
    }

    /// The nearest even number; down where both are as near, so that an odd picture loses a line.
    private static func even(_ value: Double, atMost limit: Int) -> Int {
        let half = (value / 2 - 0.001).rounded()
        let nearest = 2 * Int(max(1, min(half, 1_000_000)))
        return nearest > limit ? max(2, limit / 2 * 2) : nearest
    }
}

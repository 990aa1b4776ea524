/// A picture's size, in pixels.
package struct FrameSize: Sendable, Equatable, Codable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var description: String { "\(width)x\(height)" }

    /// Returns the largest even size of the same shape that exceeds neither this size nor the limits.
    ///
    /// - Parameters:
    ///   - maxWidth: Limit, in pixels; nil for none.
    ///   - maxHeight: As `maxWidth`.
    ///   - turns: Whether the limits' long side goes with the picture's long side.
    /// - Returns: Even sizes of at least 2.
    package func fitted(maxWidth: Int?, maxHeight: Int?, turns: Bool) -> FrameSize {
        let limits = limits(maxWidth, maxHeight, turns: turns)
        let scale = min(
            1, Double(limits.width) / Double(width), Double(limits.height) / Double(height))
        let wide = Self.even(Double(width) * scale, atMost: limits.width)
        let tall = Self.even(Double(height) * scale, atMost: limits.height)
        return FrameSize(width: wide, height: tall)
    }

    /// The size of a preset's pictures when this one goes into them: so small that it is never scaled up.
    ///
    /// A frame that is to be filled is the preset's size, or the largest of its shape that a smaller picture fills.
    ///
    /// - Parameters:
    ///   - video: The preset's limits, and how a frame is filled.
    ///   - most: The longest side that an encoder takes, in pixels, where this picture has a longer one.
    /// - Returns: Even sizes of at least 2.
    package func framed(by video: VideoSettings, most: Int = .max) -> FrameSize {
        let turns = video.orientation == .any
        let isHuge = max(width, height) > most
        let wide = isHuge ? min(video.maxWidth ?? most, most) : video.maxWidth
        let tall = isHuge ? min(video.maxHeight ?? most, most) : video.maxHeight
        let own = fitted(maxWidth: wide, maxHeight: tall, turns: turns)
        guard video.fit != .fit, let wide, let tall else { return own }
        let box = limits(wide, tall, turns: turns)
        let scales = [
            Double(box.width) / Double(width), Double(box.height) / Double(height),
        ].sorted()
        let growth = max(1, video.fit == .fill ? scales[1] : scales[0])
        let frame = FrameSize(
            width: Self.even(Double(box.width) / growth, atMost: box.width),
            height: Self.even(Double(box.height) / growth, atMost: box.height))
        return growth > 1 && own.isClose(to: frame) ? own : frame
    }

    /// Whether another shape differs by no more than a line or 1 %.
    package func isClose(to frame: FrameSize) -> Bool {
        abs(width - frame.width) <= max(2, frame.width / 100)
            && abs(height - frame.height) <= max(2, frame.height / 100)
    }

    /// A preset's limits, on end for a portrait picture when they turn with it.
    private func limits(_ maxWidth: Int?, _ maxHeight: Int?, turns: Bool) -> FrameSize {
        let limits = FrameSize(width: maxWidth ?? .max, height: maxHeight ?? .max)
        guard turns, (height > width) != (limits.height > limits.width) else { return limits }
        return FrameSize(width: limits.height, height: limits.width)
    }

    /// The largest even size of the shape of `other` that fits into this.
    package func containing(_ other: FrameSize) -> FrameSize {
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

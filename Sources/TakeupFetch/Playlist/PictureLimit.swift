/// The largest wanted picture, in pixels; selects among a playlist's variants.
public struct PictureLimit: Hashable, Sendable {
    /// Maximum width in pixels; nil for no limit.
    public var maxWidth: Int?
    /// Maximum height in pixels; nil for no limit.
    public var maxHeight: Int?
    /// Whether the limit turns with the picture, so that the long sides correspond.
    public var turns: Bool

    public init(maxWidth: Int? = nil, maxHeight: Int? = nil, turns: Bool = false) {
        (self.maxWidth, self.maxHeight, self.turns) = (maxWidth, maxHeight, turns)
    }

    /// Whether there is no limit.
    var isNone: Bool { maxWidth == nil && maxHeight == nil }

    /// A text that is the same for the same limit; part of a source's key.
    var text: String {
        let sides = [maxWidth, maxHeight].map { $0.map(String.init) ?? "any" }
        return "within \(sides.joined(separator: "x"))\(turns ? " either way" : "")"
    }

    /// Returns whether a picture reaches a side of the limit without being enlarged.
    func isFilled(width: Int, height: Int) -> Bool {
        var limit = (width: maxWidth ?? .max, height: maxHeight ?? .max)
        if turns, (height > width) != (limit.height > limit.width) {
            limit = (limit.height, limit.width)
        }
        return width >= limit.width || height >= limit.height
    }
}

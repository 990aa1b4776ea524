/// What pictures have to fit into, in pixels; chooses among a playlist's variants.
public struct PictureLimit: Hashable, Sendable {
    /// nil for no limit.
    public var maxWidth: Int?
    /// nil for no limit.
    public var maxHeight: Int?
    /// Whether the limit's long side goes with the picture's long side.
    public var turns: Bool

    public init(maxWidth: Int? = nil, maxHeight: Int? = nil, turns: Bool = false) {
        (self.maxWidth, self.maxHeight, self.turns) = (maxWidth, maxHeight, turns)
    }

    /// Nothing is too large.
    var isNone: Bool { maxWidth == nil && maxHeight == nil }

    /// The same text for the same limit: a part of a source's key.
    var text: String {
        let sides = [maxWidth, maxHeight].map { $0.map(String.init) ?? "any" }
        return "within \(sides.joined(separator: "x"))\(turns ? " either way" : "")"
    }

    /// Whether a picture need not be enlarged to touch a side of the limit.
    func isFilled(width: Int, height: Int) -> Bool {
        var limit = (width: maxWidth ?? .max, height: maxHeight ?? .max)
        if turns, (height > width) != (limit.height > limit.width) {
            limit = (limit.height, limit.width)
        }
        return width >= limit.width || height >= limit.height
    }
}

/// Where one picture lies on another one, and how much of it is seen.
///
/// Positions count luma samples from the upper left corner; the middle of the first sample is at 0.5.
public struct PicturePlacement: Sendable, Equatable {
    /// A rectangle, by its edges.
    public struct Bounds: Sendable, Equatable {
        public var left: Double
        public var top: Double
        public var right: Double
        public var bottom: Double

        public init(left: Double, top: Double, right: Double, bottom: Double) {
            (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        }

        /// Without an edge.
        public static let endless = Bounds(
            left: -.infinity, top: -.infinity, right: .infinity, bottom: .infinity)
    }

    /// A position in the picture along one of its sides, for a position on the ground: `x·fromX + y·fromY + offset`.
    public struct Line: Sendable, Equatable {
        public var fromX: Double
        public var fromY: Double
        public var offset: Double

        public init(fromX: Double, fromY: Double, offset: Double) {
            (self.fromX, self.fromY, self.offset) = (fromX, fromY, offset)
        }

        func at(_ x: Double, _ y: Double) -> Double { x * fromX + y * fromY + offset }

        /// How much of the picture one sample of the ground spans.
        public var slope: Double { (fromX * fromX + fromY * fromY).squareRoot() }
    }

    public var u: Line
    public var v: Line
    /// The part of the picture that is seen.
    public var window: Bounds
    /// The part of the ground on which it is seen.
    public var clip = Bounds.endless
    /// How much of it is seen: 0 to 1.
    public var weight = 1.0
    /// How much of it one colour replaces, 0 to 1, and that colour's samples: luma and both of chroma.
    public var tint = (share: 0.0, samples: [0.0, 0, 0])

    public init(u: Line, v: Line, window: Bounds) {
        (self.u, self.v, self.window) = (u, v, window)
    }

    public static func == (one: Self, other: Self) -> Bool {
        one.u == other.u && one.v == other.v && one.window == other.window
            && one.clip == other.clip && one.weight == other.weight
            && one.tint.share == other.tint.share && one.tint.samples == other.tint.samples
    }

    /// Places the picture's half, `Frame.halved()`, where the picture lies.
    public mutating func halve() {
        for path in [\Self.u, \Self.v] {
            self[keyPath: path].fromX /= 2
            self[keyPath: path].fromY /= 2
            self[keyPath: path].offset /= 2
        }
        window = Bounds(
            left: window.left / 2, top: window.top / 2, right: window.right / 2,
            bottom: window.bottom / 2)
    }

    /// Whether a picture without alpha of the ground's size hides the ground and stays as it is.
    public func isWhole(width: Int, height: Int) -> Bool {
        let isSeen = weight == 1 && tint.share == 0
        let isInPlace =
            u == Line(fromX: 1, fromY: 0, offset: 0) && v == Line(fromX: 0, fromY: 1, offset: 0)
        func holds(_ bounds: Bounds) -> Bool {
            bounds.left <= 0 && bounds.top <= 0 && bounds.right >= Double(width)
                && bounds.bottom >= Double(height)
        }
        return isSeen && isInPlace && holds(window) && holds(clip)
    }

    /// The part of the ground on which anything of the picture may be seen, in samples that are multiples of 2.
    ///
    /// - Returns: Nil for none.
    func reach(width: Int, height: Int) -> (x: Range<Int>, y: Range<Int>)? {
        let determinant = u.fromX * v.fromY - u.fromY * v.fromX
        guard determinant != 0 else { return nil }
        var (left, right, top, bottom) = (
            Double.infinity, -Double.infinity, Double.infinity, -Double.infinity
        )
        for corner in [
            (window.left, window.top), (window.right, window.top), (window.left, window.bottom),
            (window.right, window.bottom),
        ] {
            let (first, second) = (corner.0 - u.offset, corner.1 - v.offset)
            let x = (first * v.fromY - second * u.fromY) / determinant
            let y = (second * u.fromX - first * v.fromX) / determinant
            (left, right) = (min(left, x), max(right, x))
            (top, bottom) = (min(top, y), max(bottom, y))
        }
        func range(_ first: Double, _ last: Double, _ side: Int) -> Range<Int>? {
            let from = max(0, first - 2), to = min(Double(side), last + 2)
            guard from < to else { return nil }
            return Int(from) / 2 * 2..<min(side, (Int(to.rounded(.up)) + 1) / 2 * 2)
        }
        guard let x = range(max(left, clip.left), min(right, clip.right), width),
            let y = range(max(top, clip.top), min(bottom, clip.bottom), height)
        else { return nil }
        return (x, y)
    }
}

/// How text on pictures looks, and where it stands.
public struct TextStyle: Sendable, Hashable, Codable {
    /// How high a line of text is, from its highest to its lowest letter.
    public enum Size: Sendable, Hashable, Codable {
        /// A part of the output's height.
        case share(Double)
        case pixels(Int)
    }

    /// Where text stands.
    public enum Position: Sendable, Hashable, Codable {
        /// At a place within the title-safe area.
        case place(Place)
        /// A point of the text at a point of the output's frame, in parts of it.
        case point(x: Double, y: Double, anchor: Place)
    }

    /// A corner, the middle of an edge, or the middle.
    public enum Place: String, Sendable, Hashable, Codable, CaseIterable {
        case bottomLeft, bottom, bottomRight, left, center, right, topLeft, top, topRight
    }

    /// How much of the width and of the height is kept free at each edge.
    ///
    /// - Note: Source: SMPTE ST 2046-1, the safe title area of 90 %.
    package static let margin = 0.05
    /// The outline's usual width, in parts of the size.
    public static let usualOutline = 0.05
    /// How much of what is below a box hides if nothing is said.
    public static let usualBoxOpacity = 0.5

    /// The path of a font's file.
    public var font: String
    public var size: Size
    public var color: PictureColor
    /// The colour around the letters; nil for none.
    public var outline: PictureColor?
    /// In parts of the size.
    public var outlineWidth: Double
    /// The colour of a box behind the text; nil for none.
    public var box: PictureColor?
    public var boxOpacity: Double
    public var position: Position

    public init(
        font: String, size: Size = .share(0.08),
        color: PictureColor = PictureColor(red: 255, green: 255, blue: 255),
        outline: PictureColor? = nil, outlineWidth: Double = usualOutline,
        box: PictureColor? = nil, boxOpacity: Double = usualBoxOpacity,
        position: Position = .place(.bottom)
    ) {
        (self.font, self.size, self.color) = (font, size, color)
        (self.outline, self.outlineWidth) = (outline, outlineWidth)
        (self.box, self.boxOpacity, self.position) = (box, boxOpacity, position)
    }

    /// Returns the size in pixels of an output of some height.
    package func pixels(of height: Int) -> Double {
        switch size {
        case .share(let share): share * Double(height)
        case .pixels(let pixels): Double(pixels)
        }
    }

    /// Returns what is wrong, or nil.
    var fault: String? {
        if font.isEmpty { return "names no font" }
        switch size {
        case .share(let share) where !(0.005...1).contains(share):
            return "has a size of \(share), but it may be 0.005 to 1 of the height"
        case .pixels(let pixels) where !(4...4000).contains(pixels):
            return "has a size of \(pixels) px, but it may be 4 to 4,000 px"
        default: break
        }
        if !(0...0.5).contains(outlineWidth) {
            return "has an outline of \(outlineWidth), but it may be 0 to 0.5 of the size"
        }
        if !(0...1).contains(boxOpacity) {
            return "has a box of the opacity \(boxOpacity), but it may be 0 to 1"
        }
        if case .point(let x, let y, _) = position,
            !((0...1).contains(x) && (0...1).contains(y))
        {
            return "stands at \(x), \(y), but both may be 0 to 1"
        }
        return nil
    }

    /// A text that tells it apart from every other style, for keys, where the font is told by its number.
    func key(font number: Int) -> String {
        let size =
            switch size {
            case .share(let share): "\(share)"
            case .pixels(let pixels): "\(pixels)px"
            }
        let position =
            switch position {
            case .place(let place): place.rawValue
            case .point(let x, let y, let anchor): "\(x) \(y) \(anchor.rawValue)"
            }
        return [
            "font \(number)", size, "\(color)", outline.map { "\($0) \(outlineWidth)" } ?? "",
            box.map { "\($0) \(boxOpacity)" } ?? "", position,
        ].joined(separator: "|")
    }
}

extension TextStyle: CustomStringConvertible {
    /// Its size and its place.
    public var description: String {
        func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
        let size =
            switch size {
            case .share(let share): "\(percent(share)) of the height"
            case .pixels(let pixels): "\(pixels) px"
            }
        switch position {
        case .place(let place): return "\(size), \(place.rawValue)"
        case .point(let x, let y, let anchor):
            return "\(size), \(anchor.rawValue) at \(percent(x)), \(percent(y))"
        }
    }
}

package import TakeupTimeline

/// Where and how pictures lie in the output, as AVFoundation's layer instructions say it.
///
/// What is nil is not said. Pictures go into `area` by `fit`, `crop` hides their edges, and they are turned about the
/// middle of `area`.
public struct Layout: Sendable, Hashable, Codable {
    /// How a picture of another shape goes into its area.
    public enum Fit: String, Sendable, Hashable, Codable, CaseIterable {
        /// All of it is seen, in the middle.
        case fit
        /// It fills the area; what lies beyond is cut off.
        case fill
        /// It takes the area's shape.
        case stretch
        /// All of it is seen, before a blurred copy that fills the area.
        case blur
    }

    public var fit: Fit?
    /// 0 for what is not seen, to 1.
    public var opacity: Ramped<Double>?
    /// In parts of the output's frame; it may reach beyond.
    public var area: Ramped<Area>?
    /// Degrees clockwise.
    public var rotation: Ramped<Double>?
    /// The part that is seen of the picture in its area, in parts of it; it moves nothing.
    public var crop: Ramped<Area>?

    public init(
        fit: Fit? = nil, opacity: Ramped<Double>? = nil, area: Ramped<Area>? = nil,
        rotation: Ramped<Double>? = nil, crop: Ramped<Area>? = nil
    ) {
        (self.fit, self.opacity, self.area) = (fit, opacity, area)
        (self.rotation, self.crop) = (rotation, crop)
    }

    /// Whether it says nothing.
    public var isVoid: Bool { self == Layout() }

    /// Whether nothing of it changes over time.
    public var isConstant: Bool {
        (opacity?.isConstant ?? true) && (area?.isConstant ?? true)
            && (rotation?.isConstant ?? true) && (crop?.isConstant ?? true)
    }

    /// Returns the same on a clock whose zero is at a time of this one.
    package func counted(from zero: MediaTime) -> Layout {
        Layout(
            fit: fit, opacity: opacity?.counted(from: zero), area: area?.counted(from: zero),
            rotation: rotation?.counted(from: zero), crop: crop?.counted(from: zero))
    }

    /// Returns what this one says, and what it does not say from another one.
    package func filled(from other: Layout) -> Layout {
        Layout(
            fit: fit ?? other.fit, opacity: opacity ?? other.opacity, area: area ?? other.area,
            rotation: rotation ?? other.rotation, crop: crop ?? other.crop)
    }

    /// Returns what is wrong, or nil.
    package var fault: String? {
        opacity?.fault("an opacity") {
            (0...1).contains($0) ? nil : "of \($0), but it may be 0 to 1"
        }
            ?? area?.fault("an area", Self.areaFault)
            ?? rotation?.fault("a rotation") {
                (-36_000...36_000).contains($0)
                    ? nil : "of \($0), but it may be -36,000 to 36,000 degrees"
            } ?? crop?.fault("a crop", Self.cropFault) ?? blurFault
    }

    /// A blurred copy is made for an area that stands still.
    package var blurFault: String? {
        guard fit == .blur, let area, !area.isConstant else { return nil }
        return "has the fit blur, whose area cannot change"
    }

    private static func areaFault(_ area: Area) -> String? {
        let isNear = area.numbers.allSatisfy { (-20...20).contains($0) }
        guard isNear, area.width >= 0.001, area.height >= 0.001 else {
            return "of \(area), but it may lie from -20 to 20, 0.001 to 20 wide and high"
        }
        return nil
    }

    private static func cropFault(_ area: Area) -> String? {
        let isWithin =
            area.numbers.allSatisfy { (0...1).contains($0) } && area.x + area.width <= 1 + 1e-9
            && area.y + area.height <= 1 + 1e-9
        return isWithin ? nil : "of \(area), but it has to lie from 0 to 1"
    }

    /// A text that tells it apart from every other layout, for keys.
    var key: String {
        [
            fit?.rawValue ?? "", opacity?.key ?? "", area?.key ?? "", rotation?.key ?? "",
            crop?.key ?? "",
        ].joined(separator: "|")
    }
}

extension Area: CustomStringConvertible {
    public var description: String {
        func text(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
        return "\(text(width))x\(text(height)) at \(text(x)),\(text(y))"
    }
}

extension Layout: CustomStringConvertible {
    public var description: String {
        func text<Value>(_ name: String, _ value: Ramped<Value>?) -> String? {
            guard let value else { return nil }
            let count = value.ramps.count
            let ramps = count == 0 ? "" : ", \(count) \(count == 1 ? "ramp" : "ramps")"
            return "\(name) \(value.value)\(ramps)"
        }
        return [
            fit?.rawValue, text("opacity", opacity), text("area", area),
            text("rotation", rotation), text("crop", crop),
        ].compactMap(\.self).joined(separator: ", ")
    }
}

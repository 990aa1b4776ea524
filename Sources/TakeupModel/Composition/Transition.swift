public import TakeupTimeline

/// How a segment replaces the one before it: both play at the same time, for its duration.
///
/// Sound is cross-faded evenly in all of them.
public struct Transition: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// One picture becomes the other evenly.
        case dissolve
        /// The first picture becomes one colour, and that the second picture.
        case dip
        /// An edge moves over the picture, and the second one comes into sight behind it.
        case wipeLeft, wipeRight, wipeUp, wipeDown
    }

    public var kind: Kind
    public var duration: MediaTime
    /// The colour of a dip; nil for black, and for other kinds.
    public var color: PictureColor?

    public init(_ kind: Kind, _ duration: MediaTime, color: PictureColor? = nil) {
        (self.kind, self.duration, self.color) = (kind, duration, color)
    }

    /// A text that tells it apart from every other one, for keys.
    var key: String {
        "\(kind.rawValue),\(duration.value)/\(duration.timescale),\(color?.description ?? "")"
    }
}

extension Transition: CustomStringConvertible {
    public var description: String {
        "\(kind.rawValue) of \(duration)" + (color.map { " through \($0)" } ?? "")
    }
}

/// A colour of one tone, as sRGB has it.
public struct PictureColor: Sendable, Hashable, Codable, CustomStringConvertible {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    public static let black = PictureColor(red: 0, green: 0, blue: 0)

    /// Reads `#RRGGBB`.
    ///
    /// - Returns: nil for other text.
    public init?(parsing text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ UInt8(ascii: "+") != $0 && $0 != UInt8(ascii: "-") }),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(
            red: UInt8(number >> 16 & 0xFF), green: UInt8(number >> 8 & 0xFF),
            blue: UInt8(number & 0xFF))
    }

    /// As `#rrggbb`.
    public var description: String {
        "#"
            + [red, green, blue].map {
                let digits = String($0, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }
}

internal import TakeupModel

/// A text in ASS's form, for an output of some size.
enum TextScript {
    /// What no letter is, and what keeps a backslash from being read together with what follows.
    private static let joiner = "\u{2060}"

    /// Returns a script that shows a text for an hour.
    static func script(
        _ text: String, _ style: TextStyle, family: String, width: Int, height: Int
    ) -> String {
        let size = style.pixels(of: height)
        let outline = style.outline == nil ? 0 : size * style.outlineWidth
        let across = Int((Double(width) * TextStyle.margin).rounded())
        let down = Int((Double(height) * TextStyle.margin).rounded())
        // Style 4 of libass is a box around the whole text, which the field of the shadow widens.
        let (border, padding) = style.box == nil ? (1, 0) : (4, size * 0.25)
        var place = ""
        var anchor = TextStyle.Place.bottom
        switch style.position {
        case .place(let own): anchor = own
        case .point(let x, let y, let own):
            anchor = own
            place = "{\\pos(\(x * Double(width)),\(y * Double(height)))}"
        }
        let white = PictureColor(red: 255, green: 255, blue: 255)
        let colors = [
            color(style.color, 1), color(white, 1), color(style.outline ?? .black, 1),
            color(style.box ?? .black, style.boxOpacity),
        ].joined(separator: ",")
        return """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(width)
            PlayResY: \(height)
            WrapStyle: 0
            ScaledBorderAndShadow: yes
            Kerning: yes
            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, \
            Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, \
            Alignment, MarginL, MarginR, MarginV, Encoding
            Style: T,\(family),\(size),\(colors),0,0,0,0,100,100,0,0,\(border),\(outline),\(padding),\
            \(anchor.number),\(across),\(across),\(down),-1
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:00.00,1:00:00.00,T,,0,0,0,,\(place)\(escaped(text))

            """
    }

    /// The text without anything that ASS reads as more than text.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\" + joiner
            case "{": escaped += "\\{"
            case "}": escaped += "\\}"
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": escaped += "\\N"
            case "\t": escaped += " "
            default:
                // No control character means anything; a zero would end the text.
                if scalar.value >= 0x20, scalar.value != 0x7F {
                    escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }

    private static func color(_ color: PictureColor, _ opacity: Double) -> String {
        let parts = [UInt8(((1 - opacity) * 255).rounded()), color.blue, color.green, color.red]
        return "&H"
            + parts.map { part in
                let digits = String(part, radix: 16, uppercase: true)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }
}

extension TextStyle.Place {
    /// As the keys of a number pad lie.
    fileprivate var number: Int { (Self.allCases.firstIndex(of: self) ?? 1) + 1 }
}

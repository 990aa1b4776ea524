/// Foreign text in a message: quoted, cut at 80 characters, control characters made visible.
package struct QuotedText: CustomStringConvertible {
    private static let longest = 80

    package let description: String

    package init(_ text: String) {
        let scalars = text.unicodeScalars.prefix(Self.longest)
        var shown = ""
        for scalar in scalars {
            let escape = "\\u{\(String(scalar.value, radix: 16))}"
            shown += Self.isPlain(scalar) ? String(scalar) : escape
        }
        description = "'\(shown)\(text.unicodeScalars.count > Self.longest ? "…" : "")'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }
}

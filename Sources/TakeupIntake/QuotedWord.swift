/// Foreign text in a message: quoted and cut at 80 characters.
///
/// Whoever shows the message makes control characters visible.
package struct QuotedWord: CustomStringConvertible {
    private static let longest = 80

    package let description: String

    package init(_ text: String) {
        let head = text.prefix(Self.longest)
        description = "'\(head)\(head.endIndex < text.endIndex ? "…" : "")'"
    }
}

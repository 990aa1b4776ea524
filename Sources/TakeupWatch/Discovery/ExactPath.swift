/// A path that equals only the same bytes: a String equals its other normal forms too, and a disk may hold both.
public struct ExactPath: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func == (one: ExactPath, other: ExactPath) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// The folder that it is in; nil for the root.
    var parent: ExactPath? {
        guard !text.isEmpty else { return nil }
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ExactPath("") }
        return ExactPath(String(text[..<slash]))
    }

    func isBelow(_ folder: ExactPath) -> Bool {
        folder.text.isEmpty
            ? !text.isEmpty
            : text.utf8.starts(with: folder.text.utf8)
                && text.utf8.dropFirst(folder.text.utf8.count).first == UInt8(ascii: "/")
    }
}

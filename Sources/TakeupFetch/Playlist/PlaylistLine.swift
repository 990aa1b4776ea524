internal import TakeupFields

/// One line of a playlist that is neither empty nor a comment.
enum PlaylistLine: Equatable {
    /// A tag `#EXT…` with the text after its colon.
    case tag(Tag)
    case uri(String, number: Int)

    struct Tag: Equatable {
        /// The name without its `#`.
        var name: String
        var text: String
        var number: Int

        func fault(_ words: String) -> PlaylistError {
            .malformed(line: number, "\(name): \(words)")
        }

        /// Parses the value as a list of attributes.
        func attributes() throws(PlaylistError) -> AttributeList {
            try AttributeList(text, line: number)
        }

        /// Parses the value as a whole number.
        func wholeNumber() throws(PlaylistError) -> Int64 {
            guard let value = FieldText.number(text) else { throw fault("no whole number") }
            return value
        }
    }

    /// - Returns: nil for an empty line or a comment.
    init?(_ text: String, number: Int) {
        let text = FieldText.trimmed(text)
        guard text.hasPrefix("#") else {
            if text.isEmpty { return nil }
            self = .uri(text, number: number)
            return
        }
        guard text.hasPrefix("#EXT") else { return nil }
        let parts = text.utf8.dropFirst().split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? FieldText.trimmed(Substring(parts[1])) : ""
        let name = FieldText.trimmed(Substring(parts[0]))
        self = .tag(Tag(name: name, text: value, number: number))
    }

    var tag: Tag? {
        guard case .tag(let tag) = self else { return nil }
        return tag
    }

    var number: Int {
        switch self {
        case .tag(let tag): tag.number
        case .uri(_, let number): number
        }
    }
}

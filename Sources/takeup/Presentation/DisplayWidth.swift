extension String {
    /// Columns that a terminal needs for the text.
    ///
    /// - Note: Source: Unicode Standard Annex 11, the wide and full-width blocks.
    var displayWidth: Int { reduce(0) { $0 + Self.width(of: $1) } }

    /// The text, cut where it would need more columns than there are.
    func fitted(to columns: Int) -> String {
        guard displayWidth > columns else { return self }
        var (result, used) = ("", 0)
        for character in self {
            let width = Self.width(of: character)
            guard used + width <= columns else { break }
            result.append(character)
            used += width
        }
        return result
    }

    private static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        default:
            let category = scalar.properties.generalCategory
            return category == .nonspacingMark || category == .enclosingMark ? 0 : 1
        }
    }
}

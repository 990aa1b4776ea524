/// Reads a pattern's text into what each part of it stands for.
struct GlobParser {
    private let text: [Unicode.Scalar]
    private var place = 0

    /// - Parameter pattern: A `/` at its start is passed over.
    init(_ pattern: String) {
        var text = Array(pattern.unicodeScalars)
        if text.first == "/" { text.removeFirst() }
        self.text = text
    }

    mutating func tokens() -> [GlobPattern.Token] {
        var tokens: [GlobPattern.Token] = []
        while place < text.count {
            switch text[place] {
            case "*": tokens.append(stars())
            case "?":
                place += 1
                tokens.append(.one)
            case "[": tokens.append(set() ?? .never)
            case "\\":
                // One at the very end takes nothing as it is, and matches nothing.
                tokens.append(place + 1 < text.count ? .literal(text[place + 1]) : .never)
                place += 2
            default:
                tokens.append(.literal(text[place]))
                place += 1
            }
            if tokens.last == .never { return tokens }
        }
        return tokens
    }

    /// One or several in a row; two or more between slashes stand for folders.
    private mutating func stars() -> GlobPattern.Token {
        let start = place
        while place < text.count, text[place] == "*" { place += 1 }
        let isAfterSlash = start == 0 || text[start - 1] == "/"
        guard place - start > 1, isAfterSlash else { return .star }
        guard place < text.count else { return .deep }
        guard text[place] == "/" else { return .star }
        place += 1
        return .folders
    }

    /// - Returns: nil for a set without an end, or with a name that is none.
    private mutating func set() -> GlobPattern.Token? {
        var set = GlobSet()
        place += 1
        if place < text.count, text[place] == "!" || text[place] == "^" {
            set.isNegated = true
            place += 1
        }
        let first = place
        while place < text.count {
            if text[place] == "]", place > first {
                place += 1
                return .set(set)
            }
            if text[place] == "[", place + 1 < text.count, text[place + 1] == ":" {
                guard addNamed(to: &set) else { return nil }
            } else {
                guard addRange(to: &set) else { return nil }
            }
        }
        return nil
    }

    private mutating func addRange(to set: inout GlobSet) -> Bool {
        guard let low = member() else { return false }
        let isRange = place + 1 < text.count && text[place] == "-" && text[place + 1] != "]"
        guard isRange else {
            set.ranges.append(low...low)
            return true
        }
        place += 1
        guard let high = member() else { return false }
        // Git takes the first end before it sees that this is a range; an empty range keeps it.
        set.ranges.append(low...max(low, high))
        return true
    }

    private mutating func member() -> Unicode.Scalar? {
        if text[place] == "\\" { place += 1 }
        guard place < text.count else { return nil }
        defer { place += 1 }
        return text[place]
    }

    private mutating func addNamed(to set: inout GlobSet) -> Bool {
        let start = place + 2
        guard let end = text[start...].firstIndex(of: "]") else { return false }
        guard end > start, text[end - 1] == ":" else {
            // No name: the bracket is one of the characters.
            return addRange(to: &set)
        }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: text[start..<(end - 1)])
        place = end + 1
        return set.add(named: String(name))
    }
}

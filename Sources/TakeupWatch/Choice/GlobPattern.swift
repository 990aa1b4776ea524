/// A pattern of paths, as in a `.gitignore`.
///
/// `*` and `?` stand for anything but `/`, `[a-z]` for one of a set, `**` as a whole name for any
/// number of names, and `\` takes the next character as it is. A pattern without `/` is of a last name.
/// Works on Unicode scalars, where git works on bytes. A match takes at most the product of both
/// lengths in steps, whatever the pattern is.
///
/// - Note: Source: gitignore(5); git, `wildmatch.c`, with `WM_PATHNAME`.
public struct GlobPattern: Sendable, Equatable {
    public static let mostBytes = 1024

    enum Token: Sendable, Equatable {
        case literal(Unicode.Scalar)
        /// One character but `/`.
        case one
        /// Any number of characters but `/`.
        case star
        /// Any number of characters.
        case deep
        /// Nothing, or any number of characters that end with `/`.
        case folders
        case set(GlobSet)
        /// Matches no text, as does a set without its closing bracket.
        case never
    }

    public let text: String
    /// Whether it is compared with last names, and not with whole paths.
    public let isOfNames: Bool
    /// Literal characters at both ends, which decide most matches, and what lies between.
    private let head: [Unicode.Scalar]
    private let middle: [Token]
    private let tail: [Unicode.Scalar]
    private let isOneStar: Bool

    /// - Parameter text: At most 1024 bytes; a `/` at its start only says that it is of whole paths.
    /// - Throws: `WatchError.unreadable` for one that is empty or too long.
    public init(_ text: String) throws(WatchError) {
        guard !text.isEmpty, text.utf8.count <= Self.mostBytes else {
            throw .unreadable(
                setting: "pattern",
                reason:
                    "a pattern has 1 to \(Self.mostBytes) bytes, and “\(text.prefix(40))” has not")
        }
        self.text = text
        isOfNames = !text.unicodeScalars.contains("/")
        var parser = GlobParser(text)
        let tokens = parser.tokens()
        head = tokens.prefix { $0.scalar != nil }.compactMap(\.scalar)
        let rest = tokens.dropFirst(head.count)
        let literals = rest.reversed().prefix { $0.scalar != nil }
        tail = literals.reversed().compactMap(\.scalar)
        middle = Array(rest.dropLast(tail.count))
        isOneStar = middle == [.star]
    }

    /// Whether it matches a path, or a path's last name when it is of names.
    ///
    /// - Parameter path: With `/` between names, and none at either end.
    /// - Returns: `true` when it matches from the first to the last character.
    public func matches(_ path: String) -> Bool {
        let path = Array(path.unicodeScalars)
        let start = isOfNames ? (path.lastIndex(of: "/") ?? -1) + 1 : 0
        return matches(path[start...])
    }

    /// Whether it matches all of a text.
    func matches(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard text.count >= head.count + tail.count else { return false }
        var place = text.endIndex - tail.count
        for scalar in tail {
            guard text[place] == scalar else { return false }
            place += 1
        }
        place = text.startIndex
        for scalar in head {
            guard text[place] == scalar else { return false }
            place += 1
        }
        let rest = text[place..<(text.endIndex - tail.count)]
        if middle.isEmpty { return rest.isEmpty }
        if isOneStar { return !rest.contains("/") }
        return walk(rest)
    }

    /// Follows all ways to read the pattern at once, one character after the other.
    private func walk(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        var places = [Bool](repeating: false, count: middle.count + 1)
        enter(0, &places)
        for scalar in text {
            var next = [Bool](repeating: false, count: middle.count + 1)
            var isAlive = false
            for (place, token) in middle.enumerated() where places[place] {
                isAlive = step(token, at: place, scalar, &next) || isAlive
            }
            guard isAlive else { return false }
            places = next
        }
        return places[middle.count]
    }

    /// - Returns: Whether the token takes the character.
    private func step(
        _ token: Token, at place: Int, _ scalar: Unicode.Scalar, _ next: inout [Bool]
    ) -> Bool {
        let isSlash = scalar == "/"
        switch token {
        case .literal(let wanted):
            guard scalar == wanted else { return false }
            enter(place + 1, &next)
        case .one:
            guard !isSlash else { return false }
            enter(place + 1, &next)
        case .set(let set):
            guard !isSlash, set.contains(scalar) else { return false }
            enter(place + 1, &next)
        case .star:
            guard !isSlash else { return false }
            enter(place, &next)
        case .deep: enter(place, &next)
        case .folders:
            // Within a name it cannot end: only behind a slash.
            next[place] = true
            if isSlash { enter(place + 1, &next) }
        case .never: return false
        }
        return true
    }

    /// Marks a place, and those behind it that need no character.
    ///
    /// Stops at a marked place, whose followers are marked already: places are entered from first to last, and one that
    /// `folders` marks alone lies before all that are entered later.
    private func enter(_ place: Int, _ places: inout [Bool]) {
        var place = place
        while !places[place] {
            places[place] = true
            guard place < middle.count else { return }
            switch middle[place] {
            case .star, .deep, .folders: place += 1
            case .literal, .one, .set, .never: return
            }
        }
    }
}

extension GlobPattern.Token {
    fileprivate var scalar: Unicode.Scalar? {
        guard case .literal(let scalar) = self else { return nil }
        return scalar
    }
}

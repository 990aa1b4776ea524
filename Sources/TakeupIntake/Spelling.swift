/// Finds the word that a misspelled one was probably meant to be.
public enum Spelling {
    /// The longest word that is compared; longer ones are no typing errors.
    static let longestWord = 64

    /// The candidate nearest to `word`, when it is near enough to be worth saying.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        guard (1...longestWord).contains(word.unicodeScalars.count) else { return nil }
        let limit = max(1, word.unicodeScalars.count / 3)
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(word.lowercased(), candidate.lowercased())
            let isPrefix = word.count >= 3 && candidate.hasPrefix(word)
            let rank = isPrefix ? min(distance, limit) : distance
            if rank <= limit, rank < best?.distance ?? .max { best = (candidate, rank) }
        }
        return best?.word
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two words.
    static func distance(_ first: String, _ second: String) -> Int {
        let (left, right) = (Array(first.unicodeScalars), Array(second.unicodeScalars))
        var before: [Int] = []
        var previous = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let isSame = left[row] == right[column]
                var cost = min(
                    previous[column] + (isSame ? 0 : 1), previous[column + 1] + 1,
                    current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, before[column - 1] + 1)
                }
                current.append(cost)
            }
            (before, previous) = (previous, current)
        }
        return previous[right.count]
    }
}

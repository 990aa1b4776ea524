/// The few names that a misspelt one was probably meant to be, nearest first.
package struct NearestNames {
    private static let longest = 64
    private static let most = 3

    package let names: [String]

    /// Compares without regard to case; a name of more than 64 characters has no neighbours.
    package init(of name: String, among candidates: [String]) {
        let wanted = Array(name.lowercased().unicodeScalars.prefix(Self.longest + 1))
        guard !wanted.isEmpty, wanted.count <= Self.longest else {
            names = []
            return
        }
        let ranked = candidates.enumerated().compactMap { index, candidate in
            let known = Array(candidate.lowercased().unicodeScalars)
            let distance = Self.distance(wanted, known)
            let limit = max(1, max(wanted.count, known.count) * 2 / 5)
            return distance <= limit ? (distance, index, candidate) : nil
        }
        names = ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(Self.most).map(\.2)
    }

    /// The number of insertions, removals and substitutions from one to the other.
    private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var row = Array(0...second.count)
        for (line, left) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, right) in second.enumerated() {
                let substitution = diagonal + (left == right ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}

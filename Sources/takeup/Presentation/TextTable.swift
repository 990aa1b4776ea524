/// Rows of cells, aligned to the left in columns.
enum TextTable {
    /// - Returns: One line a row; the last column is as wide as it likes.
    static func lines(_ rows: [[String]], indent: String = "") -> [String] {
        let widths = widths(rows)
        return rows.map { indent + line($0, widths) }
    }

    /// How wide each column has to be.
    static func widths(_ rows: [[String]], atLeast least: [Int] = []) -> [Int] {
        let columns = max(least.count, rows.map(\.count).max() ?? 0)
        return (0..<columns).map { column in
            let width = rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
            return max(width, column < least.count ? least[column] : 0)
        }
    }

    static func line(_ row: [String], _ widths: [Int]) -> String {
        row.enumerated().map { column, cell in
            column == row.count - 1 ? cell : padded(cell, to: widths[column])
        }.joined(separator: "  ")
    }

    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Breaks a text between words so that no line is longer than `width`, where words allow it.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

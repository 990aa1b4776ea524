/// Draws a timeline with characters.
struct TimelineText: Sendable {
    let showsUnicode: Bool
    let palette: Palette

    /// A bar is drawn alone if it has at least so many columns: its edge and something of it.
    private static let leastBar = 2.0
    private static let leastDrawing = 20
    private static let columnsOfMark = 12

    /// Returns a ruler, a line a row, and what the characters mean.
    ///
    /// - Parameters:
    ///   - picture: What to draw.
    ///   - columns: Of the terminal, whose last one stays free.
    /// - Returns: Lines without their ends; none if nothing has a length.
    func lines(_ picture: TimelinePicture, columns: Int) -> [String] {
        guard picture.seconds > 0, !picture.rows.isEmpty else { return [] }
        let margin = (picture.rows.map(\.name.count).max() ?? 0) + 2
        let room = max(Self.leastDrawing, columns - 1 - margin)
        let indent = String(repeating: " ", count: margin)
        let scale = Double(room) / picture.seconds
        let rows = picture.rows.map { row in
            TextTable.padded(row.name, to: margin) + drawn(row, scale, room)
        }
        return [indent + ruler(picture.seconds, scale, room)] + rows
            + legend(picture, room).map { indent + $0 }
    }

    private func ruler(_ seconds: Double, _ scale: Double, _ room: Int) -> String {
        let ruler = TimelineRuler(seconds: seconds, most: room / Self.columnsOfMark)
        var line = ""
        for mark in ruler.marks {
            let column = Int((mark * scale).rounded())
            let label = ruler.label(mark)
            guard column + label.count <= room, line.isEmpty || column > line.count else {
                continue
            }
            line = TextTable.padded(line, to: column) + label
        }
        return line
    }

    /// One column of a row.
    private struct Cell: Equatable {
        /// Empty behind a character that takes two columns.
        var text: String
        var color: Palette.Color?
    }

    private func drawn(_ row: TimelinePicture.Row, _ scale: Double, _ room: Int) -> String {
        var cells = [Cell](repeating: Cell(text: empty), count: room)
        let bars = row.merged(narrowerThan: Self.leastBar / scale)
        let spans = bars.map { span($0.start, $0.end, scale, room) }
        for (bar, span) in zip(bars, spans) {
            for column in span { cells[column] = Cell(text: fill(bar.making), color: color(bar)) }
            cells[span.lowerBound].text = edge
        }
        var blended = Set<Int>()
        for blend in row.blends(beside: bars) {
            for column in span(blend.start, blend.end, scale, room) {
                cells[column] = Cell(text: self.blend, color: .bold)
                blended.insert(column)
            }
        }
        for (place, bar) in bars.enumerated() {
            let next = place + 1 < spans.count ? spans[place + 1].lowerBound : room
            let columns =
                (spans[place].lowerBound
                    + 1..<max(
                        spans[place].lowerBound + 1, min(spans[place].upperBound, next)))
            let start = columns.first { !blended.contains($0) } ?? columns.upperBound
            let end = (start..<columns.upperBound).first { blended.contains($0) }
            write(bar.name, into: &cells, start..<(end ?? columns.upperBound))
        }
        return painted(cells)
    }

    private func span(
        _ start: Double, _ end: Double, _ scale: Double, _ room: Int
    ) -> Range<Int> {
        let first = min(max(0, Int((start * scale).rounded())), room - 1)
        let last = min(max(0, Int((end * scale).rounded())), room)
        return first..<max(first + 1, last)
    }

    /// Writes a name with a space behind it, cut where it is too long.
    private func write(_ name: String, into cells: inout [Cell], _ columns: Range<Int>) {
        guard columns.count >= 3 else { return }
        let isCut = name.displayWidth > columns.count
        let text = isCut ? name.fitted(to: columns.count - 1) + ellipsis : name
        var column = columns.lowerBound
        for character in text {
            let width = String(character).displayWidth
            guard width > 0 else {
                if column > columns.lowerBound { cells[column - 1].text.append(character) }
                continue
            }
            cells[column].text = String(character)
            for more in 1..<max(1, width) { cells[column + more].text = "" }
            column += width
        }
        if column < columns.upperBound { cells[column].text = " " }
    }

    private func painted(_ cells: [Cell]) -> String {
        var (line, run, color) = ("", "", cells.first?.color)
        for cell in cells + [Cell(text: "", color: nil)] {
            if cell.color != color {
                line += color.map { palette.paint(run, $0) } ?? run
                (run, color) = ("", cell.color)
            }
            run += cell.text
        }
        return line + (color.map { palette.paint(run, $0) } ?? run)
    }

    /// What the characters mean, in as few lines as there is room for.
    private func legend(_ picture: TimelinePicture, _ room: Int) -> [String] {
        let makings = Set(picture.rows.flatMap(\.bars).map(\.making))
        var words = TimelinePicture.Making.allCases.filter(makings.contains).map {
            "\(fill($0)) \($0.rawValue)"
        }
        if picture.rows.contains(where: { !$0.blends.isEmpty }) {
            words.append("\(blend) transition")
        }
        return (words + ["\(empty) nothing"]).reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 3 + word.count <= room {
                lines[lines.count - 1] = "\(last)   \(word)"
            } else {
                lines.append(word)
            }
        }
    }

    private func color(_ bar: TimelinePicture.Bar) -> Palette.Color? {
        switch bar.making {
        case .encoded: .yellow
        case .copied: .green
        case .both: nil
        }
    }

    private func fill(_ making: TimelinePicture.Making) -> String {
        switch making {
        case .encoded: showsUnicode ? "▓" : "#"
        case .copied: showsUnicode ? "═" : "="
        case .both: showsUnicode ? "▒" : "%"
        }
    }

    private var edge: String { showsUnicode ? "┃" : "|" }
    private var blend: String { showsUnicode ? "╳" : "X" }
    private var empty: String { showsUnicode ? "·" : "." }
    private var ellipsis: String { showsUnicode ? "…" : "~" }
}

/// Reads RFC 4180 records, quoted cells and line breaks within them included; cells may also be separated by
/// semicolons or tabs where the header is.
///
/// Total over any bytes that are UTF-8.
struct CSVReader {
    /// One record; a cell is as it was written, without its quotes.
    struct Record {
        /// Where it begins, from 1.
        let line: Int
        var cells: [JSONElement] = []
    }

    private let bytes: [UInt8]
    private let separator: UInt8
    private var position: Int
    private var line = 1

    init(_ bytes: [UInt8], from position: Int) {
        (self.bytes, self.position) = (bytes, position)
        separator = CSVColumns.separator(bytes[position...])
    }

    /// The next record that is not blank; nil behind the last one.
    mutating func next() throws(BatchFault) -> Record? {
        while position < bytes.count, takeLineBreak() {}
        guard position < bytes.count else { return nil }
        let start = position
        var record = Record(line: line)
        while true {
            let (cellLine, column) = (line, record.cells.count + 1)
            let text = try cell(column: column)
            record.cells.append(
                JSONElement(value: .cell(text), line: cellLine, column: column))
            guard position - start <= BatchList.longestJob else {
                throw BatchFault(
                    line: record.line,
                    reason: "the record is longer than \(BatchList.longestJob) bytes")
            }
            guard position < bytes.count, !takeLineBreak() else { return record }
            // A cell ends at a separator, a line break or the end.
            position += 1
        }
    }

    /// Goes to the end of the line, whatever stands there, after a record that cannot be read.
    mutating func skipLine() {
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
            position += 1
        }
    }

    private mutating func cell(column: Int) throws(BatchFault) -> String {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            let start = position
            while position < bytes.count, !isEnd(bytes[position]) {
                guard bytes[position] != UInt8(ascii: "\"") else {
                    throw BatchFault(
                        line: line, column: column, reason: "a quote stands inside a bare cell",
                        hint: "put the whole cell in quotes and double those inside")
                }
                position += 1
            }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        return try quotedCell(column: column)
    }

    private mutating func quotedCell(column: Int) throws(BatchFault) -> String {
        let first = line
        var text: [UInt8] = []
        position += 1
        while position < bytes.count, text.count <= BatchList.longestJob {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") {
                guard position < bytes.count, bytes[position] == byte else {
                    guard position == bytes.count || isEnd(bytes[position]) else {
                        throw BatchFault(
                            line: line, column: column, reason: "text follows a closing quote",
                            hint: "double the quotes inside a cell")
                    }
                    return String(decoding: text, as: UTF8.self)
                }
                position += 1
            } else if byte == 0x0A {
                line += 1
            }
            text.append(byte)
        }
        throw BatchFault(line: first, column: column, reason: "the quoted cell has no end")
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == separator || byte == 0x0A || byte == 0x0D
    }

    /// Takes a line feed, a carriage return, or both.
    private mutating func takeLineBreak() -> Bool {
        switch bytes[position] {
        case 0x0D:
            position += 1
            if position < bytes.count, bytes[position] == 0x0A { position += 1 }
        case 0x0A: position += 1
        default: return false
        }
        line += 1
        return true
    }
}

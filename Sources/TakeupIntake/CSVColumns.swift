/// What the columns of a CSV list hold, by its header.
struct CSVColumns {
    private enum Column {
        case field(JobField)
        /// One key of a field that holds an object.
        case member(JobField, String)
        case unknown
    }

    /// Fields that have a column for each key, with an example of one.
    private static let objects: [(field: JobField, example: String)] = [
        (.metadata, "metadata.title"), (.set, "set.video.crf"),
    ]
    private static let most = 1000
    /// Bytes of a header that tell how it is separated.
    private static let longestHeader = 100_000

    private let columns: [Column]

    init(_ header: CSVReader.Record, _ faults: inout FaultList) throws(BatchFault) {
        guard header.cells.count <= Self.most else {
            throw BatchFault(
                line: header.line, reason: "the header has more than \(Self.most) columns")
        }
        var columns: [Column] = []
        var names: Set<String> = []
        for cell in header.cells {
            guard case .cell(let text) = cell.value else { continue }
            let name = text.trimmed
            if !names.insert(name).inserted {
                faults.add(
                    BatchFault(
                        line: cell.line, column: cell.column,
                        reason: "the column \(QuotedWord(name)) comes twice"))
            }
            columns.append(Self.column(name, cell, &faults))
        }
        self.columns = columns
    }

    /// The comma, the semicolon or the tab: what parts most of the header's names.
    static func separator(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        let line = bytes.drop { $0 == 0x0A || $0 == 0x0D }.prefix { $0 != 0x0A && $0 != 0x0D }
        let header = line.prefix(longestHeader)
        let comma = UInt8(ascii: ",")
        var best = (separator: comma, names: names(header, comma))
        for separator in [UInt8(ascii: ";"), UInt8(ascii: "\t")] {
            let count = names(header, separator)
            if count > best.names { best = (separator, count) }
        }
        return best.separator
    }

    /// How many names of fields stand in the header.
    private static func names(_ header: ArraySlice<UInt8>, _ separator: UInt8) -> Int {
        header.split(separator: separator).count { cell in
            let name = String(decoding: cell.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
                .trimmed
            return JobField(rawValue: name) != nil
                || objects.contains { name.hasPrefix("\($0.field.rawValue).") }
        }
    }

    private static func column(
        _ name: String, _ cell: JSONElement, _ faults: inout FaultList
    ) -> Column {
        for (field, example) in objects {
            let prefix = "\(field.rawValue)."
            if name.hasPrefix(prefix) {
                return .member(field, String(name.dropFirst(prefix.count)))
            }
            guard name == field.rawValue else { continue }
            faults.add(
                BatchFault(
                    line: cell.line, column: cell.column, field: name,
                    reason: "has a column for each key", hint: "name it \(example)"))
            return .unknown
        }
        if let field = JobField(rawValue: name) {
            return .field(field)
        } else {
            faults.add(JobDraft.unknown(name, line: cell.line, column: cell.column))
        }
        return .unknown
    }

    /// - Returns: nil for a record of another width than the header.
    func draft(_ record: CSVReader.Record, _ faults: inout FaultList) -> JobDraft? {
        guard record.cells.count == columns.count else {
            faults.add(
                BatchFault(
                    line: record.line,
                    reason: "the record has \(record.cells.count) cells, the header"
                        + " \(columns.count)",
                    hint: "put cells that hold a separator in quotes"))
            return nil
        }
        var draft = JobDraft(line: record.line)
        var objects: [JobField: [JSONElement.Member]] = [:]
        for (column, cell) in zip(columns, record.cells) {
            switch column {
            case .field(let field): draft.fields[field] = cell
            case .member(let field, let key):
                objects[field, default: []].append(.init(key: key, element: cell))
            case .unknown: break
            }
        }
        for (field, members) in objects {
            draft.fields[field] = JSONElement(value: .object(members), line: record.line)
        }
        return draft
    }
}

extension String {
    /// Without the spaces at both ends.
    fileprivate var trimmed: String {
        let tail = drop { $0 == " " || $0 == "\t" }
        return String(tail.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

/// Reads a list job by job; a job at fault does not hide the faults of those behind it.
struct ListReader {
    private(set) var jobs: [PlannedJob] = []
    private var builder: SpecBuilder
    private let mostJobs: Int
    private var count = 0

    init(_ builder: SpecBuilder, mostJobs: Int) {
        (self.builder, self.mostJobs) = (builder, mostJobs)
    }

    mutating func read(_ bytes: [UInt8], as format: ListFormat, _ faults: inout FaultList) {
        do throws(BatchFault) {
            guard bytes.count <= BatchList.largestFile else {
                throw BatchFault(
                    line: nil, reason: "the list is longer than \(BatchList.largestFile) bytes")
            }
            if format != .nullPaths { try Self.checkEncoding(bytes) }
            let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            switch format {
            case .json: try readJSON(JSONCursor(bytes, from: start), &faults)
            case .jsonLines: try readLines(JSONCursor(bytes, from: start), &faults)
            case .csv: try readCSV(CSVReader(bytes, from: start), &faults)
            case .paths: try readPaths(bytes[start...], &faults)
            case .nullPaths: try readNullPaths(bytes[start...], &faults)
            }
        } catch {
            faults.add(error)
        }
    }

    private static func checkEncoding(_ bytes: [UInt8]) throws(BatchFault) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        throw BatchFault(
            line: line.map { $0 + 1 }, reason: "the list is not encoded in UTF-8",
            hint: "save it as UTF-8")
    }

    private mutating func readJSON(
        _ start: JSONCursor, _ faults: inout FaultList
    ) throws(BatchFault) {
        var cursor = start
        defer { for note in cursor.notes { faults.add(note) } }
        guard !cursor.isAtEnd() else { throw cursor.fault("the list is empty") }
        if cursor.next == UInt8(ascii: "{") {
            try readObject(&cursor, &faults)
        } else {
            try readJobs(&cursor, defaults: nil, &faults)
        }
        guard cursor.isAtEnd() else { throw cursor.fault("something follows the list's end") }
    }

    private mutating func readObject(
        _ cursor: inout JSONCursor, _ faults: inout FaultList
    ) throws(BatchFault) {
        var defaults: JobDraft?
        var jobs: JSONCursor?
        try cursor.members { (key, cursor) throws(BatchFault) in
            let line = cursor.line
            switch key {
            case "defaults": defaults = Self.defaults(try cursor.job(), &faults)
            case "jobs":
                jobs = cursor
                // The defaults may follow: the jobs are read once they are known.
                do throws(BatchFault) {
                    try cursor.elements { cursor throws(BatchFault) in _ = try cursor.job() }
                } catch {
                    if var jobs { try self.readJobs(&jobs, defaults: defaults, &faults) }
                    throw error
                }
            default:
                let names = ["defaults", "jobs"]
                let nearest = Spelling.nearest(to: key, among: names)
                faults.add(
                    BatchFault(
                        line: line, reason: "a list has no \(QuotedWord(key))",
                        hint: nearest.map { "did you mean '\($0)'?" }
                            ?? "it may hold defaults and jobs"))
                _ = try cursor.job()
            }
        }
        guard var jobs else {
            throw BatchFault(
                line: nil, reason: "the list has no jobs",
                hint: #"write {"jobs": [{"source": "clip.mov"}]}"#)
        }
        try readJobs(&jobs, defaults: defaults, &faults)
    }

    private static func defaults(
        _ element: JSONElement, _ faults: inout FaultList
    ) -> JobDraft {
        var draft = JobDraft(element, &faults)
        for field in [JobField.id, .source] {
            guard let element = draft.fields.removeValue(forKey: field) else { continue }
            faults.add(
                BatchFault(
                    line: element.line, field: field.rawValue, reason: "cannot be a default",
                    hint: "write it into each job"))
        }
        return draft
    }

    private mutating func readJobs(
        _ cursor: inout JSONCursor, defaults: JobDraft?, _ faults: inout FaultList
    ) throws(BatchFault) {
        try cursor.elements { cursor throws(BatchFault) in
            try self.take(try cursor.job(), defaults: defaults, &faults)
        }
    }

    private mutating func readLines(
        _ start: JSONCursor, _ faults: inout FaultList
    ) throws(BatchFault) {
        var cursor = start
        defer { for note in cursor.notes { faults.add(note) } }
        while !cursor.isAtEnd() {
            let line = cursor.line
            guard let element = try lineElement(&cursor, &faults) else { continue }
            try take(element, defaults: nil, &faults)
            guard cursor.isAtEnd() || cursor.line > line else {
                faults.add(cursor.fault("something follows the job on its line"))
                cursor.skipLine()
                continue
            }
        }
    }

    /// One line's value; nil when the line is none, which hides nothing of the next one.
    private func lineElement(
        _ cursor: inout JSONCursor, _ faults: inout FaultList
    ) throws(BatchFault) -> JSONElement? {
        let line = cursor.line
        do throws(BatchFault) {
            let element = try cursor.job()
            guard cursor.line == line else {
                throw BatchFault(
                    line: line, reason: "a job goes beyond its line",
                    hint: "write each job on one line, or name the list .json")
            }
            return element
        } catch {
            // Behind a job that is spread over lines nothing can be told apart.
            guard cursor.line == line else { throw error }
            faults.add(error)
            cursor.skipLine()
            return nil
        }
    }

    private mutating func readPaths(
        _ bytes: ArraySlice<UInt8>, _ faults: inout FaultList
    ) throws(BatchFault) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let text = line.last == 0x0D ? line.dropLast() : line
            let start = text.first { $0 != 0x20 && $0 != 0x09 }
            guard let start, start != UInt8(ascii: "#") else { continue }
            let path = String(decoding: text, as: UTF8.self)
            try take(JobDraft(plain: path, line: index + 1), defaults: nil, &faults)
        }
    }

    private mutating func readNullPaths(
        _ bytes: ArraySlice<UInt8>, _ faults: inout FaultList
    ) throws(BatchFault) {
        for name in bytes.split(separator: 0) {
            guard let path = String(validating: name, as: UTF8.self) else {
                faults.add(
                    BatchFault(
                        line: nil,
                        reason: "the name is not UTF-8: \(String(decoding: name, as: UTF8.self))",
                        hint: "rename the file"))
                continue
            }
            try take(JobDraft(plain: path, line: nil), defaults: nil, &faults)
        }
    }

    private mutating func readCSV(
        _ start: CSVReader, _ faults: inout FaultList
    ) throws(BatchFault) {
        var reader = start
        guard let header = try reader.next() else {
            throw BatchFault(line: 1, reason: "the list has no header")
        }
        let columns = try CSVColumns(header, &faults)
        while let record = nextRecord(&reader, &faults) {
            guard let draft = columns.draft(record, &faults) else { continue }
            try take(draft, defaults: nil, &faults)
        }
    }

    /// The next record that can be read; nil behind the last one.
    private func nextRecord(
        _ reader: inout CSVReader, _ faults: inout FaultList
    ) -> CSVReader.Record? {
        while true {
            do throws(BatchFault) {
                return try reader.next()
            } catch {
                faults.add(error)
                reader.skipLine()
            }
        }
    }

    private mutating func take(
        _ element: JSONElement, defaults: JobDraft?, _ faults: inout FaultList
    ) throws(BatchFault) {
        let draft = JobDraft(element, &faults)
        guard case .object = element.value else { return }
        try take(draft, defaults: defaults, &faults)
    }

    private mutating func take(
        _ draft: JobDraft, defaults: JobDraft?, _ faults: inout FaultList
    ) throws(BatchFault) {
        count += 1
        guard count <= mostJobs else {
            throw BatchFault(
                line: draft.line, reason: "the list has more than \(mostJobs) jobs",
                hint: "split it")
        }
        jobs.append(builder.job(draft, defaults: defaults, &faults))
    }
}

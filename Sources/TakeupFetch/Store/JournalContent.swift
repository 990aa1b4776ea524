/// The content of a journal, up to its first torn record.
struct JournalContent {
    var header: JournalHeader
    var map: BlockMap
    var pieces = PieceSizes()
    var hasCompleteMark = false
    /// Number of valid bytes in the journal.
    var byteCount: Int

    /// Creates a journal without records.
    init(_ header: JournalHeader) {
        (self.header, map) = (header, BlockMap(length: header.version?.length))
        byteCount = header.byteCount
    }

    /// - Returns: nil if the header is missing.
    init?(_ bytes: [UInt8]) {
        guard let header = JournalHeader(bytes) else { return nil }
        self.header = header
        map = BlockMap(length: header.version?.length)
        byteCount = header.byteCount
        for record in Self.records(bytes, from: byteCount, header.generation) { apply(record) }
    }

    private mutating func apply(_ record: JournalRecord) {
        map.apply(record)
        pieces.apply(record)
        if record == .complete { hasCompleteMark = true }
        byteCount += JournalRecord.byteCount
    }

    static func records(_ bytes: [UInt8], from start: Int, _ generation: Int64) -> [JournalRecord] {
        var records: [JournalRecord] = []
        var place = start
        while place + JournalRecord.byteCount <= bytes.count {
            let piece = Array(bytes[place..<(place + JournalRecord.byteCount)])
            guard let record = JournalRecord(piece, generation: generation) else { break }
            records.append(record)
            place += JournalRecord.byteCount
        }
        return records
    }
}

extension PieceSizes {
    /// Applies a journal record.
    mutating func apply(_ record: JournalRecord) {
        guard case .piece(let number, let byteCount) = record else { return }
        note(Int(number), byteCount: Int64(byteCount))
    }
}

/// `length[@offset]`.
struct ByteRangeText: Equatable {
    let length: Int64
    /// nil: where the range before it ended.
    let offset: Int64?
    let line: Int

    init(_ text: String, line: Int) throws(PlaylistError) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard let length = parts.first.flatMap({ FieldText.number($0) }), length > 0,
            parts.count <= 2
        else { throw .malformed(line: line, "no range of bytes") }
        self.length = length
        self.line = line
        guard parts.count == 2 else {
            offset = nil
            return
        }
        guard let offset = FieldText.number(parts[1]) else {
            throw .malformed(line: line, "no range of bytes")
        }
        self.offset = offset
    }

    /// The bytes meant, where `end` is the end of the range before in the same resource, nil
    /// without one.
    func range(following end: Int64?) throws(PlaylistError) -> Range<Int64> {
        guard let start = offset ?? end else {
            throw .malformed(line: line, "a range that follows none")
        }
        let (upper, overflows) = start.addingReportingOverflow(length)
        guard !overflows else { throw .malformed(line: line, "a range beyond all bytes") }
        return start..<upper
    }
}

internal import TakeupFields

/// A byte range in the form `length[@offset]`.
struct ByteRangeText: Equatable {
    let length: Int64
    /// Offset of the first byte; nil if the range continues the previous one.
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

    /// Resolves the byte range.
    ///
    /// `end` is the end of the previous range in the same resource, nil if there is none.
    func range(following end: Int64?) throws(PlaylistError) -> Range<Int64> {
        guard let start = offset ?? end else {
            throw .malformed(line: line, "a range that follows none")
        }
        let (upper, overflows) = start.addingReportingOverflow(length)
        guard !overflows else { throw .malformed(line: line, "a range beyond all bytes") }
        return start..<upper
    }
}

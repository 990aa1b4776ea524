/// What goes between a sealed helper that wants a source opened and the process that may open it.
///
/// The helper sends the source's place among the task's files; the answer is an errno, 0 with the open file.
package enum OpeningMessage {
    private static let byteCount = 4

    /// Returns a message of a place or an errno, which is at least 0.
    package static func bytes(_ number: Int) -> [UInt8] {
        let word = UInt32(clamping: number)
        return (0..<byteCount).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }

    /// - Returns: nil for anything else than such a message.
    package static func number(_ bytes: [UInt8]) -> Int? {
        guard bytes.count == byteCount else { return nil }
        return Int(bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
}

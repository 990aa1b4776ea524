/// Reads the numbers of a NUT file.
struct NUTCursor {
    private static let mostBytes = 10
    /// Upper limit of sizes, in bytes.
    private static let mostSize: Int64 = 1 << 40

    private let window: ByteWindow
    var place: Int64

    init(_ window: ByteWindow, at place: Int64) {
        self.window = window
        self.place = place
    }

    /// Returns whether a number can be a size.
    static func isSize(_ number: Int64) -> Bool { (0..<mostSize).contains(number) }

    /// Reads seven bits a byte, the first ones first, and keeps the low 64 bits; nil at the end.
    mutating func number() -> Int64? {
        var value: Int64 = 0
        for _ in 0..<Self.mostBytes {
            guard let byte = window[place] else { return nil }
            place += 1
            value = value << 7 | Int64(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}

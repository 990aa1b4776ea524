/// Pictures that are numbered one after the other, with as many digits each.
public struct ImageSequence: Sendable, Equatable {
    /// What makes files with numbers a sequence: so many of them in a row.
    public static let leastInRow = 3
    /// Of the missing numbers, at most so many are listed.
    public static let mostListed = 1000
    static let mostDigits = 18
    private static let suffixes: Set<String> = [
        "bmp", "cin", "dpx", "exr", "j2c", "j2k", "jp2", "jpeg", "jpg", "pbm", "pgm", "png", "ppm",
        "sgi", "tga", "tif", "tiff", "webp",
    ]

    /// As FFmpeg reads it: `shot_%04d.png`; a `%` of the name itself is doubled.
    public let pattern: String
    public let first: Int64
    public let last: Int64
    /// How many pictures there are.
    public let count: Int
    /// How many numbers between the first and the last have no picture.
    public let missingCount: Int64
    /// The lowest of these numbers.
    public let missing: [Int64]

    /// A picture's name, apart from its number.
    struct Key: Hashable {
        let stem: String
        let digits: Int
        let suffix: String
    }

    /// A sequence of sorted numbers, each there once; nil when there are not enough in a row.
    init?(_ key: Key, numbers: [Int64]) {
        guard let first = numbers.first, let last = numbers.last else { return nil }
        var (row, longest) = (1, 1)
        var missing: [Int64] = []
        for (before, number) in zip(numbers, numbers.dropFirst()) {
            row = number == before + 1 ? row + 1 : 1
            longest = max(longest, row)
            let room = Int64(Self.mostListed - missing.count)
            if number > before + 1 {
                missing += Array((before + 1)..<min(number, before + 1 + room))
            }
        }
        guard longest >= Self.leastInRow else { return nil }
        func literal(_ text: String) -> String {
            text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        }
        pattern = literal(key.stem) + "%0\(key.digits)d" + literal(key.suffix)
        (self.first, self.last, count) = (first, last, numbers.count)
        (missingCount, self.missing) = (last - first + 1 - Int64(numbers.count), missing)
    }

    /// What a name says as a picture's with a number before its suffix; nil for any other.
    static func parse(_ name: String) -> (key: Key, number: Int64)? {
        guard let dot = name.lastIndex(of: "."),
            suffixes.contains(name[name.index(after: dot)...].lowercased())
        else { return nil }
        let stem = name[..<dot]
        let digits = stem.utf8.reversed().prefix {
            $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
        }
        guard !digits.isEmpty, digits.count <= mostDigits,
            let number = Int64(stem.suffix(digits.count))
        else { return nil }
        let key = Key(
            stem: String(stem.dropLast(digits.count)), digits: digits.count,
            suffix: String(name[dot...]))
        return (key, number)
    }
}

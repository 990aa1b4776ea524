internal import TakeupModel

/// A number of bytes, as people write it.
public struct ByteSize: Sendable, Equatable {
    public let bytes: Int64

    public init(bytes: Int64) {
        self.bytes = bytes
    }

    /// Reads `25MB` (25,000,000), `25MiB`, `1.5GB` or plain bytes.
    ///
    /// - Returns: nil for anything else, for zero, for a part of a byte, and for what does not fit.
    public init?(parsing text: String) {
        let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        let unit = text.dropFirst(digits.count).lowercased()
        guard let factor = Self.units[unit] else { return nil }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Int64(parts[0]) else { return nil }
        let fraction = parts.count == 2 ? parts[1] : "0"
        guard (1...9).contains(fraction.count), var rest = Int64(fraction) else { return nil }
        for _ in fraction.count..<9 { rest *= 10 }
        let total = Int128(whole) * Int128(factor) * 1_000_000_000 + Int128(rest) * Int128(factor)
        guard total % 1_000_000_000 == 0, total > 0,
            let bytes = Int64(exactly: total / 1_000_000_000)
        else { return nil }
        self.bytes = bytes
    }

    /// Reads what an output is limited to, in bytes.
    ///
    /// - Returns: nil for what `init(parsing:)` does not read, and beyond `ExportSettings.fileLengthLimits`.
    public static func outputLimit(parsing text: String) -> Int64? {
        guard let size = ByteSize(parsing: text),
            ExportSettings.fileLengthLimits.contains(size.bytes)
        else { return nil }
        return size.bytes
    }

    private static let units: [String: Int64] = [
        "": 1, "b": 1,
        "k": 1000, "kb": 1000, "kib": 1 << 10,
        "m": 1_000_000, "mb": 1_000_000, "mib": 1 << 20,
        "g": 1_000_000_000, "gb": 1_000_000_000, "gib": 1 << 30,
        "t": 1_000_000_000_000, "tb": 1_000_000_000_000, "tib": 1 << 40,
    ]
}

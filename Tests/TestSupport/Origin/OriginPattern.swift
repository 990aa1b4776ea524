import Foundation

/// Endless bytes that are a pure function of a seed and of where they stand.
///
/// Every page of 4096 bytes begins with a stamp of its own, so bytes in a wrong place are seen.
public struct OriginPattern: Sendable, Equatable {
    /// Two patterns of one seed are the same.
    public let seed: UInt64

    private static let pageBytes: Int64 = 4096
    private static let stampBytes: Int64 = 8
    // A prime, so that no power of two is a period of the bytes.
    private static let tableBytes = 65521

    private let table: [UInt8]

    /// The pattern of a seed.
    public init(seed: UInt64) {
        self.seed = seed
        table = (0..<Self.tableBytes).map { UInt8(Self.mix(seed ^ UInt64($0)) & 255) }
    }

    /// Writes the bytes that stand from an offset on.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int64) {
        table.withUnsafeBytes { source in
            var done = 0
            while done < buffer.count {
                let start = Int((offset + Int64(done)) % Int64(Self.tableBytes))
                let count = min(Self.tableBytes - start, buffer.count - done)
                let piece = UnsafeRawBufferPointer(rebasing: source[start..<start + count])
                UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
                    .copyMemory(from: piece)
                done += count
            }
        }
        let end = offset + Int64(buffer.count)
        var page = offset / Self.pageBytes
        while page * Self.pageBytes < end {
            stamp(page, in: buffer, from: offset)
            page += 1
        }
    }

    private func stamp(
        _ page: Int64, in buffer: UnsafeMutableRawBufferPointer, from offset: Int64
    ) {
        let word = Self.mix(seed &+ UInt64(page))
        for index in 0..<Self.stampBytes {
            let place = Int(page * Self.pageBytes + index - offset)
            guard buffer.indices.contains(place) else { continue }
            buffer[place] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index))
        }
    }

    /// The finaliser of SplitMix64.
    private static func mix(_ value: UInt64) -> UInt64 {
        var word = value &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

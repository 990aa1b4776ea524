/// Packs the units of H.264 packets as an `avc1` track holds them: a length of four bytes before each unit, and parameter
/// sets in the sample description only.
enum UnitPacking {
    static let lengthBytes = 4

    /// - Parameters:
    ///   - bytes: The packet's bytes.
    ///   - lengthBytes: Size of the length before each unit, in bytes; 0 for start codes.
    /// - Returns: The packet's new bytes; nil if they stay the same.
    static func packed(_ bytes: UnsafeBufferPointer<UInt8>, _ lengthBytes: Int) -> [UInt8]? {
        let units = ParameterSets.units(bytes, lengthBytes).filter { !$0.isEmpty }
        let kept = units.filter { ![7, 8].contains(bytes[$0.lowerBound] & 0x1F) }
        guard lengthBytes != Self.lengthBytes || kept.count < units.count else { return nil }
        var packed: [UInt8] = []
        packed.reserveCapacity(bytes.count + 4 * kept.count)
        for unit in kept {
            var unit = unit
            // Zeros before a start code belong to no unit.
            while lengthBytes == 0, unit.count > 1, bytes[unit.upperBound - 1] == 0 {
                unit = unit.lowerBound..<unit.upperBound - 1
            }
            packed += (0..<4).map { UInt8(truncatingIfNeeded: unit.count >> (24 - 8 * $0)) }
            packed += bytes[unit]
        }
        return packed
    }

    /// Makes the configuration of a track with the sets of all its parts.
    ///
    /// - Parameters:
    ///   - copied: The sets of the copied parts, which determine profile and level.
    ///   - encoded: The sets of the encoded parts.
    /// - Returns: The content of an `avcC` box; nil without a usable set.
    /// - Note: Source: ISO/IEC 14496-15 §5.3.3.1.2; 4:2:0 with 8 bit.
    static func configuration(_ copied: [[UInt8]], and encoded: [[UInt8]]) -> [UInt8]? {
        let sets = { (kind: UInt8) in
            (copied + encoded).filter { $0.first.map { $0 & 0x1F } == kind }
        }
        let (sequences, pictures) = (sets(7), sets(8))
        guard let first = sequences.first, sequences.allSatisfy({ $0.count > 3 }),
            (1...31).contains(sequences.count), (1...255).contains(pictures.count),
            (sequences + pictures).allSatisfy({ $0.count <= 0xFFFF })
        else { return nil }
        let constraints = sequences.map { $0[2] }.reduce(0xFF, &)
        var bytes: [UInt8] = [1, first[1], constraints, first[3], 0xFC | UInt8(lengthBytes - 1)]
        let add = { (set: [UInt8]) in [UInt8(set.count >> 8), UInt8(set.count & 0xFF)] + set }
        bytes += [0xE0 | UInt8(sequences.count)] + sequences.flatMap(add)
        bytes += [UInt8(pictures.count)] + pictures.flatMap(add)
        if ![66, 77, 88].contains(first[1]) { bytes += [0xFD, 0xF8, 0xF8, 0] }
        return bytes
    }
}

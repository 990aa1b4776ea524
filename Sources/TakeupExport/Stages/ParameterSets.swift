/// The parameter sets of H.264 and HEVC, without trailing zeros.
struct ParameterSets {
    private(set) var sets: [[UInt8]] = []
    private(set) var lengthBytes = 0

    /// Parses a configuration: an `avcC` or `hvcC` record, or units with start codes.
    ///
    /// - Note: Source: ISO/IEC 14496-15 §5.3.3 and §8.3.3.
    init(_ codec: String, _ extradata: [UInt8]) {
        guard extradata.count > 6, codec == "h264" || codec == "hevc" else { return }
        guard extradata[0] == 1 else {
            sets = extradata.withUnsafeBufferPointer { Self.inside($0, codec, 0) }
            return
        }
        var rest = extradata[...]
        if codec == "h264" {
            lengthBytes = Int(extradata[4] & 3) + 1
            rest = rest.dropFirst(5)
            for mask in [UInt8(0x1F), 0xFF] {
                guard let count = rest.popFirst() else { return }
                take(Int(count & mask), from: &rest)
            }
        } else if extradata.count > 23 {
            lengthBytes = Int(extradata[21] & 3) + 1
            rest = rest.dropFirst(23)
            for _ in 0..<extradata[22] {
                guard rest.popFirst() != nil, let count = Self.number(2, from: &rest) else {
                    return
                }
                take(count, from: &rest)
            }
        }
    }

    private mutating func take(_ count: Int, from rest: inout ArraySlice<UInt8>) {
        for _ in 0..<count {
            guard let length = Self.number(2, from: &rest), length <= rest.count else { return }
            sets.append(Self.trimmed(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
    }

    private static func number(_ bytes: Int, from rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= bytes else { return nil }
        let value = rest.prefix(bytes).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(bytes)
        return value
    }

    private static func trimmed(_ unit: some Collection<UInt8>) -> [UInt8] {
        var unit = Array(unit)
        while unit.last == 0 { unit.removeLast() }
        return unit
    }

    /// Returns the parameter sets inside a packet.
    ///
    /// - Parameters:
    ///   - bytes: The packet's bytes.
    ///   - codec: `h264` or `hevc`.
    ///   - lengthBytes: Size of the length before each unit, in bytes; 0 for start codes.
    /// - Returns: The sets in order, without trailing zeros.
    static func inside(
        _ bytes: UnsafeBufferPointer<UInt8>, _ codec: String, _ lengthBytes: Int
    ) -> [[UInt8]] {
        units(bytes, lengthBytes).filter { unit in
            guard let first = unit.first.map({ bytes[$0] }) else { return false }
            return codec == "h264"
                ? [7, 8].contains(first & 0x1F) : [32, 33, 34].contains(first >> 1 & 0x3F)
        }.map { trimmed(bytes[$0]) }
    }

    /// Returns whether no picture from a keyframe packet on refers to an earlier one, as far as its
    /// units tell.
    ///
    /// An H.264 keyframe packet may be only the start of a recovery.
    func isClean(_ bytes: UnsafeBufferPointer<UInt8>, _ codec: String) -> Bool {
        guard codec == "h264" else { return true }
        return Self.units(bytes, lengthBytes).contains { bytes[$0.lowerBound] & 0x1F == 5 }
    }

    /// Returns the places of a packet's units, without start codes or lengths.
    static func units(
        _ bytes: UnsafeBufferPointer<UInt8>, _ lengthBytes: Int
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        guard lengthBytes == 0 else {
            var place = 0
            while place + lengthBytes < bytes.count {
                let length = (0..<lengthBytes).reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
                place += lengthBytes
                guard length > 0, length <= bytes.count - place else { break }
                found.append(place..<place + length)
                place += length
            }
            return found
        }
        var start: Int?
        var place = 0
        while place + 2 < bytes.count {
            if bytes[place + 2] > 1 {
                place += 3
            } else if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
                if let start { found.append(start..<place) }
                start = place + 3
                place += 3
            } else {
                place += 1
            }
        }
        if let start, start < bytes.count { found.append(start..<bytes.count) }
        return found
    }
}

/// One packet of a transport stream, where it lies in memory.
///
/// - Note: Source: ISO/IEC 13818-1 §2.4.3.
struct TransportPacket {
    static let length = 188

    let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter bytes: All 188 of them.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var pid: Int { Int(bytes[1] & 0x1F) << 8 | Int(bytes[2]) }
    /// Whether a section, a picture or a piece of sound begins in it.
    var isStart: Bool { bytes[1] & 0x40 != 0 }
    private var hasField: Bool { bytes[3] & 0x20 != 0 }
    /// Whether it is marked as one with which decoding can begin.
    private var isRandomAccess: Bool { hasField && bytes[4] > 0 && bytes[5] & 0x40 != 0 }

    var payload: UnsafeBufferPointer<UInt8> {
        let start = hasField ? 5 + Int(bytes[4]) : 4
        guard bytes[3] & 0x10 != 0, start < bytes.count else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(rebasing: bytes[start...])
    }

    /// Whether its field is longer than what it says, so that less of the packet is left for its contents.
    ///
    /// - Note: Source: ISO/IEC 13818-1 §2.4.3.4.
    var isFilledUp: Bool {
        guard hasField else { return false }
        let length = Int(bytes[4])
        guard length > 0 else { return true }
        let flags = bytes[5]
        var used = 1 + (flags & 0x10 != 0 ? 6 : 0) + (flags & 0x08 != 0 ? 6 : 0)
        used += flags & 0x04 != 0 ? 1 : 0
        for flag: UInt8 in [0x02, 0x01] where flags & flag != 0 && 5 + used < bytes.count {
            used += 1 + Int(bytes[5 + used])
        }
        return length > used
    }

    /// When what begins in it is decoded, in ticks of 90 kHz that begin again after 2³³; nil when it does not say.
    ///
    /// - Note: Source: ISO/IEC 13818-1 §2.4.3.6.
    var time: Int64? {
        let header = payload
        guard isStart, header.count >= 19, header[0] == 0, header[1] == 0, header[2] == 1,
            header[7] & 0x80 != 0
        else { return nil }
        let place = header[7] & 0x40 != 0 ? 14 : 9
        return Int64(header[place] >> 1 & 7) << 30 | Int64(header[place + 1]) << 22
            | Int64(header[place + 2] >> 1) << 15 | Int64(header[place + 3]) << 7
            | Int64(header[place + 4] >> 1)
    }

    /// Whether a decoder can begin with the picture that begins in it, by its mark or by its first headers.
    func beginsGroup(_ type: UInt8) -> Bool {
        guard isStart else { return false }
        if isRandomAccess { return true }
        let found = payload
        return found.indices.dropLast(3).contains { place in
            guard found[place] == 0, found[place + 1] == 0, found[place + 2] == 1 else {
                return false
            }
            let code = found[place + 3]
            return switch type {
            case 0x01, 0x02: code == 0xB3
            case 0x10: code == 0xB0 || code == 0xB3
            case 0x1B: code & 0x80 == 0 && [5, 7].contains(code & 0x1F)
            case 0x24: code & 0x80 == 0 && (16...21).contains(code >> 1) || code >> 1 == 33
            default: false
            }
        }
    }
}

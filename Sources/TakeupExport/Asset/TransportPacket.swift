/// One packet of a transport stream, read in place.
///
/// - Note: Source: ISO/IEC 13818-1 §2.4.3.
struct TransportPacket {
    static let length = 188

    let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter bytes: All 188 bytes of the packet.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var pid: Int { Int(bytes[1] & 0x1F) << 8 | Int(bytes[2]) }
    /// Whether a section, a picture or a block of sound begins in the packet.
    var isStart: Bool { bytes[1] & 0x40 != 0 }
    private var hasField: Bool { bytes[3] & 0x20 != 0 }
    /// Whether the packet is marked as a random access point.
    private var isRandomAccess: Bool { hasField && bytes[4] > 0 && bytes[5] & 0x40 != 0 }

    var payload: UnsafeBufferPointer<UInt8> {
        let start = hasField ? 5 + Int(bytes[4]) : 4
        guard bytes[3] & 0x10 != 0, start < bytes.count else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(rebasing: bytes[start...])
    }

    /// Whether the adaptation field is longer than its content, and so leaves less room for the
    /// payload.
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

    /// Decoding time of the unit that begins in this packet, in ticks of 90 kHz that wrap at 2³³;
    /// nil if not stated.
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

    /// Returns whether the picture that begins here is a keyframe, by its mark or its first
    /// headers.
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

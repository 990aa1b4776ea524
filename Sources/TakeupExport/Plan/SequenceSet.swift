internal import TakeupTimeline

/// The contents of an H.264 sequence parameter set, as far as the parts of one track must agree on them.
///
/// - Note: Source: ITU-T H.264 §7.3.2.1.1, §E.1.1.
struct SequenceSet: Equatable {
    /// What every picture of a track must share.
    struct Picture: Equatable {
        /// The coded size in macroblocks, and what is cropped left, right, top and bottom.
        var size: [Int] = []
        /// Format of the chroma samples: 1 is 4:2:0.
        var chroma = 1
        var bitDepths = [8, 8]
        /// Whether all pictures are coded as frames, without fields.
        var isProgressive = true
        /// Shape of the pixels; 0 as numerator if not stated.
        var aspect = Ratio(0, 1)
        /// Codes of primaries, transfer and matrix; 2 stands for not stated.
        var color = [2, 2, 2]
        var isFullRange = false
        /// Codes of the chroma samples' place in top and bottom fields.
        var chromaPlace = [0, 0]
    }

    let profile: Int
    /// The byte of constraint flags, first flag first.
    let constraints: UInt8
    /// Ten times the level.
    let level: Int
    let id: Int
    private(set) var references = 0
    private(set) var picture = Picture()

    /// Profiles whose sets state a chroma format.
    private static let detailed: Set = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134]
    /// Shapes of pixels by code, from 1.
    private static let aspects = [
        (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33),
        (18, 11), (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
    ]

    /// Reads a set; nil if the unit is none, or is cut off or invalid.
    ///
    /// - Parameter unit: The unit, with its header.
    init?(_ unit: [UInt8]) {
        guard unit.count > 4, unit[0] & 0x1F == 7 else { return nil }
        var bits = UnitBits(unit.dropFirst())
        profile = bits.number(8)
        constraints = UInt8(truncatingIfNeeded: bits.number(8))
        level = bits.number(8)
        id = bits.code()
        guard id < 32, readFormat(&bits), readSize(&bits) else { return nil }
        if bits.flag() { readUsability(&bits) }
        guard !bits.isExhausted else { return nil }
    }

    private mutating func readFormat(_ bits: inout UnitBits) -> Bool {
        if Self.detailed.contains(profile) {
            picture.chroma = bits.code()
            if picture.chroma == 3 { bits.skip(1) }
            picture.bitDepths = [bits.code() + 8, bits.code() + 8]
            bits.skip(1)
            if bits.flag() {
                for list in 0..<(picture.chroma == 3 ? 12 : 8) where bits.flag() {
                    Self.skipScaling(&bits, list < 6 ? 16 : 64)
                }
            }
        }
        _ = bits.code()
        switch bits.code() {
        case 0: _ = bits.code()
        case 1:
            bits.skip(1)
            _ = (bits.code(), bits.code())
            let count = bits.code()
            guard count < 256 else { return false }
            for _ in 0..<count { _ = bits.code() }
        default: break
        }
        references = bits.code()
        bits.skip(1)
        return !bits.isExhausted
    }

    private static func skipScaling(_ bits: inout UnitBits, _ count: Int) {
        var (last, next) = (8, 8)
        for _ in 0..<count where next != 0 {
            let code = bits.code()
            // Codes of signed numbers alternate: 1, -1, 2, -2 …
            let delta = code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
            next = (last + delta) & 0xFF
            if next != 0 { last = next }
        }
    }

    private mutating func readSize(_ bits: inout UnitBits) -> Bool {
        let size = [bits.code(), bits.code()]
        picture.isProgressive = bits.flag()
        if !picture.isProgressive { bits.skip(1) }
        bits.skip(1)
        let crop = bits.flag() ? (0..<4).map { _ in bits.code() } : [0, 0, 0, 0]
        picture.size = size + crop
        return !bits.isExhausted
    }

    private mutating func readUsability(_ bits: inout UnitBits) {
        if bits.flag() {
            let code = bits.number(8)
            if (1...Self.aspects.count).contains(code) {
                let (width, height) = Self.aspects[code - 1]
                picture.aspect = Ratio(Int64(width), Int64(height))
            } else if code == 255 {
                let (width, height) = (bits.number(16), bits.number(16))
                picture.aspect = Ratio(Int64(width), Int64(max(1, height)))
            }
        }
        if bits.flag() { bits.skip(1) }
        if bits.flag() {
            bits.skip(3)
            picture.isFullRange = bits.flag()
            if bits.flag() { picture.color = (0..<3).map { _ in bits.number(8) } }
        }
        if bits.flag() { picture.chromaPlace = [bits.code(), bits.code()] }
    }
}

/// The ids of an H.264 picture parameter set and of the sequence parameter set that it refers to.
///
/// - Note: Source: ITU-T H.264 §7.3.2.2.
struct PictureSet: Equatable {
    let id: Int
    let sequence: Int

    /// Reads a set; nil if the unit is none, or is cut off.
    init?(_ unit: [UInt8]) {
        guard unit.count > 1, unit[0] & 0x1F == 8 else { return nil }
        var bits = UnitBits(unit.dropFirst())
        id = bits.code()
        sequence = bits.code()
        guard !bits.isExhausted, id < 256, sequence < 32 else { return nil }
    }
}

/// Reads the bits of an H.264 unit, without the bytes that prevent start codes.
struct UnitBits {
    private var bytes: [UInt8] = []
    private var place = 0
    /// Whether more bits were read than there are; the numbers are then meaningless.
    private(set) var isExhausted = false

    init(_ unit: some Sequence<UInt8>) {
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
    }

    mutating func flag() -> Bool { number(1) == 1 }

    mutating func skip(_ count: Int) { _ = number(count) }

    /// Reads up to 32 bits.
    mutating func number(_ count: Int) -> Int {
        guard place + count <= bytes.count * 8 else {
            isExhausted = true
            return 0
        }
        var number = 0
        for _ in 0..<count {
            number = number << 1 | Int(bytes[place / 8] >> (7 - UInt8(place % 8)) & 1)
            place += 1
        }
        return number
    }

    /// Reads an Exp-Golomb code.
    mutating func code() -> Int {
        var zeros = 0
        while !isExhausted, zeros < 32, !flag() { zeros += 1 }
        guard !isExhausted, zeros < 32 else {
            isExhausted = true
            return 0
        }
        return (1 << zeros) - 1 + number(zeros)
    }
}

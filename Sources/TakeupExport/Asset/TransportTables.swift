/// Parses the tables of a transport stream that list the streams of its programmes.
///
/// - Note: Source: ISO/IEC 13818-1 §2.4.4.
enum TransportTables {
    /// A stream of pictures or sound.
    struct Stream: Hashable {
        let pid: Int
        let type: UInt8
    }

    /// Assembles the sections of one table from packets.
    struct Assembler {
        private var bytes: [UInt8] = []

        /// Adds a packet's payload.
        ///
        /// - Returns: The section that ends in the packet; nil if none does or the section is
        ///   damaged.
        mutating func add(_ payload: UnsafeBufferPointer<UInt8>, isStart: Bool) -> [UInt8]? {
            if isStart {
                guard let pointer = payload.first, Int(pointer) + 1 < payload.count else {
                    return nil
                }
                bytes = Array(payload[(Int(pointer) + 1)...])
            } else if !bytes.isEmpty {
                bytes += payload
            }
            guard bytes.count >= 3 else { return nil }
            let length = 3 + (Int(bytes[1] & 0x0F) << 8 | Int(bytes[2]))
            guard bytes.count >= length else { return nil }
            let section = Array(bytes.prefix(length))
            bytes = []
            return length >= 12 && TransportTables.checksum(section) == 0 ? section : nil
        }
    }

    /// Returns the PID of each programme's map, by programme number; nil for another table.
    static func programmes(_ section: [UInt8]) -> [Int: Int]? {
        guard section[0] == 0x00, section[5] & 1 == 1 else { return nil }
        var found: [Int: Int] = [:]
        for place in stride(from: 8, to: section.count - 7, by: 4) {
            let number = Int(section[place]) << 8 | Int(section[place + 1])
            if number != 0 { found[number] = pid(section, at: place + 2) }
        }
        return found
    }

    /// Returns a programme's number with its video and audio streams; nil for another table.
    static func map(_ section: [UInt8]) -> (programme: Int, streams: Set<Stream>)? {
        guard section[0] == 0x02, section[5] & 1 == 1, section.count >= 16 else { return nil }
        let end = section.count - 4
        var place = 12 + length(section, at: 10)
        var streams: Set<Stream> = []
        while place + 5 <= end {
            let next = place + 5 + length(section, at: place + 3)
            guard next <= end else { break }
            if isMedia(section[place], section[place + 5..<next]) {
                streams.insert(
                    Stream(pid: pid(section, at: place + 1), type: section[place]))
            }
            place = next
        }
        return (Int(section[3]) << 8 | Int(section[4]), streams)
    }

    private static func pid(_ bytes: [UInt8], at place: Int) -> Int {
        Int(bytes[place] & 0x1F) << 8 | Int(bytes[place + 1])
    }

    private static func length(_ bytes: [UInt8], at place: Int) -> Int {
        Int(bytes[place] & 0x0F) << 8 | Int(bytes[place + 1])
    }

    private static let pictureTypes: Set<UInt8> = [
        0x01, 0x02, 0x10, 0x1B, 0x20, 0x21, 0x24, 0x33, 0x42, 0xD1, 0xD2, 0xEA,
    ]
    private static let soundTypes: Set<UInt8> = [
        0x03, 0x04, 0x0F, 0x11, 0x1C, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x87, 0x8A, 0xA1, 0xA2,
    ]
    /// Descriptor tags of teletext, subtitles and private broadcaster data.
    private static let textTags: Set<UInt8> = [0x45, 0x46, 0x56, 0x59, 0x6F]
    /// Registered names of data streams.
    private static let dataNames = ["KLVA", "ID3 ", "CUEI", "VANC", "GA94"].map { Array($0.utf8) }

    static func isPicture(_ type: UInt8) -> Bool { pictureTypes.contains(type) }

    private static func isMedia(_ type: UInt8, _ descriptors: ArraySlice<UInt8>) -> Bool {
        guard type == 0x06 else { return pictureTypes.contains(type) || soundTypes.contains(type) }
        var place = descriptors.startIndex
        while place + 2 <= descriptors.endIndex {
            if textTags.contains(descriptors[place]) { return false }
            let next = place + 2 + Int(descriptors[place + 1])
            guard next <= descriptors.endIndex else { break }
            if descriptors[place] == 0x05, next >= place + 6,
                dataNames.contains(Array(descriptors[place + 2..<place + 6]))
            {
                return false
            }
            place = next
        }
        return true
    }

    /// Computes the checksum of a section with its CRC; 0 for an undamaged section.
    ///
    /// - Note: Source: ISO/IEC 13818-1 annex A.
    private static func checksum(_ section: [UInt8]) -> UInt32 {
        section.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
            }
        }
    }
}

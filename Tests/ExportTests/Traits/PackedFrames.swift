import Foundation

/// Rewrites an AVI of MPEG-4 with one B-frame between references as DivX and XviD pack them.
///
/// A reference and the B-frame shown before it share a chunk; a chunk without a coded picture follows.
enum PackedFrames {
    /// A picture that codes nothing, for a clock of 25 ticks.
    private static let empty = Data([0, 0, 1, 0xb6, 0x50, 0x4f])
    private static let startOfPicture = Data([0, 0, 1, 0xb6])

    static func pack(_ file: inout Data) {
        guard let list = file.range(of: Data("movi".utf8)) else { return }
        var pictures: [Data] = []
        var place = list.upperBound
        while place + 8 <= file.endIndex, file[place..<place + 4] == Data("00dc".utf8) {
            let size = Int(number(file, place + 4))
            pictures.append(Data(file[place + 8..<place + 8 + size]))
            place += 8 + size + size % 2
        }
        var chunks: [Data] = []
        var next = 0
        while next < pictures.count {
            if next + 1 < pictures.count, isBidirectional(pictures[next + 1]) {
                chunks += [pictures[next] + pictures[next + 1], empty]
                next += 2
            } else {
                chunks.append(pictures[next])
                next += 1
            }
        }
        chunks[0] = marked(chunks[0])
        let head = Data(file[..<(list.lowerBound - 4)])
        file = head + body(chunks)
        file.replaceSubrange(4..<8, with: bytes(UInt32(file.count - 8)))
    }

    /// The list of chunks behind its size, and the index.
    private static func body(_ chunks: [Data]) -> Data {
        var media = Data("movi".utf8)
        var index = Data()
        for (place, chunk) in chunks.enumerated() {
            index += Data("00dc".utf8) + bytes(place == 0 ? 0x10 : 0)
            index += bytes(UInt32(media.count)) + bytes(UInt32(chunk.count))
            media += Data("00dc".utf8) + bytes(UInt32(chunk.count)) + chunk
            if chunk.count % 2 == 1 { media.append(0) }
        }
        return bytes(UInt32(media.count)) + media + Data("idx1".utf8)
            + bytes(UInt32(index.count)) + index
    }

    /// With the words by which decoders know packed pictures, in front of the first of them.
    private static func marked(_ chunk: Data) -> Data {
        guard let picture = chunk.range(of: startOfPicture) else { return chunk }
        let words = Data([0, 0, 1, 0xb2]) + Data("DivX503b1393p".utf8)
        return chunk[..<picture.lowerBound] + words + chunk[picture.lowerBound...]
    }

    private static func isBidirectional(_ picture: Data) -> Bool {
        guard let start = picture.range(of: startOfPicture), start.upperBound < picture.endIndex
        else { return false }
        return picture[start.upperBound] >> 6 == 2
    }

    private static func number(_ data: Data, _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(data[place + $1]) << UInt32(8 * $1) }
    }

    private static func bytes(_ value: UInt32) -> Data {
        Data((0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) })
    }
}

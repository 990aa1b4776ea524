import Testing

@testable import TakeupExport

@Suite("Pages of an Ogg file")
struct OggPagesTests {
    private typealias Bytes = [UInt8]

    private static func little(_ value: UInt32) -> Bytes {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A page of ten bytes, with its checksum or a wrong one.
    private static func page(_ count: Int, isSound: Bool) -> Bytes {
        let head: Bytes = Array("OggS".utf8) + Bytes(repeating: 0, count: 10) + [1, 0, 0, 0]
        let place = head.count + 4
        var bytes = head + little(UInt32(count)) + little(0) + [1, 10]
        bytes += Bytes(repeating: 5, count: 10)
        let sum = bytes.reduce(UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { part, _ in
                part & 0x8000_0000 == 0 ? part << 1 : part << 1 ^ 0x04C1_1DB7
            }
        }
        bytes.replaceSubrange(place..<place + 4, with: little(isSound ? sum : ~sum))
        return bytes
    }

    private func ranges(_ pages: [Bool]) throws -> [Range<Int64>] {
        let bytes = pages.enumerated().flatMap { Self.page($0.offset, isSound: $0.element) }
        let fault = OggPages(try #require(ByteWindow(MemorySource(bytes)))).fault()
        guard case .unreadable(let found, _, _)? = fault else {
            #expect(fault == nil)
            return []
        }
        return found
    }

    @Test("bad pages beside one another are one range")
    func neighbours() throws {
        #expect(try ranges([true, true, true]).isEmpty)
        #expect(try ranges([true, false, false, false, true, false]) == [38..<152, 190..<228])
    }

    @Test("a page that ends beyond the file is cut, though a whole page lies within it")
    func beyond() throws {
        var long = Self.page(1, isSound: true)
        long.replaceSubrange(26..<28, with: [2, 255, 255])
        let bytes = Self.page(0, isSound: true) + long + Self.page(3, isSound: true)
        let source = MemorySource(bytes)
        #expect(!OggPages.isCut(source, "ogg"))
        #expect(OggPages(try #require(ByteWindow(source))).fault() == .cut)
    }

    @Test("a file of bad pages has a limited number of ranges, which end where the last one does")
    func limit() throws {
        let found = try ranges((0..<3000).map { $0 % 2 == 0 })
        #expect(found.count == 1000)
        #expect(found.last?.upperBound == Int64(3000 * 38))
    }
}

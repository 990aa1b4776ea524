import Testing

@testable import TakeupExport

@Suite("ContainerExtent")
struct ContainerExtentTests {
    private static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
    private static let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]

    private static func declaredEnd(_ head: [UInt8]) -> Int64? {
        ByteWindow(MemorySource(head)).flatMap(ContainerExtent.declaredEnd)
    }

    private static func big(_ value: UInt64, _ bytes: UInt64) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ name: String, _ size: UInt64, isLittle: Bool = true) -> [UInt8] {
        Array(name.utf8) + (isLittle ? big(size, 4).reversed() : big(size, 4))
    }

    private static let words = chunk("LIST", 3) + [1, 2, 3, 0]
    private static let large =
        chunk("ds64", 28) + big(9, 8).reversed() + big(5_000_000_000, 8).reversed()
        + [UInt8](repeating: 0, count: 12)

    @Test(
        "reads where sound ends, whatever stands before it",
        arguments: [
            (chunk("RIFF", 999) + Array("WAVE".utf8) + words + chunk("data", 100), 132),
            (chunk("RIFF", 0) + Array("WAVE".utf8) + chunk("data", 0), nil),
            (chunk("RIFF", 9) + Array("WAVE".utf8) + chunk("data", 0xFFFF_FFFF), nil),
            (
                chunk("RF64", 0xFFFF_FFFF) + Array("WAVE".utf8) + large
                    + chunk("data", 0xFFFF_FFFF), 5_000_000_056
            ),
            (
                chunk("BW64", 0xFFFF_FFFF) + Array("WAVE".utf8) + large
                    + chunk("data", 0xFFFF_FFFF), 5_000_000_056
            ),
            (chunk("RIFF", 9) + Array("WAVE".utf8) + chunk("data", 0x7FFF_EFDC), nil),
            (chunk("RIFF", 9) + Array("WAVE".utf8) + chunk("data", 0xFFFF_FFD3), nil),
            (chunk("RIFF", 9) + Array("WAVE".utf8) + chunk("data", 0x7FFE_FFFF), 0x7FFF_0013),
            (Array(".snd".utf8) + big(24, 4) + big(0x7FFF_FFD4, 4), nil),
            (
                chunk("FORM", 999, isLittle: false) + Array("AIFF".utf8)
                    + chunk("COMM", 1, isLittle: false) + [7, 0]
                    + chunk("SSND", 50, isLittle: false), 80
            ),
            (
                Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(2, 8) + [1, 2]
                    + Array("data".utf8) + big(1000, 8), 1034
            ),
            (Array("caff".utf8) + [0, 1, 0, 0] + Array("data".utf8) + big(.max, 8), nil),
            (Array(".snd".utf8) + big(24, 4) + big(1000, 4), 1024),
            (Array(".snd".utf8) + big(24, 4) + big(0xFFFF_FFFF, 4), nil),
        ] as [([UInt8], Int64?)])
    func sound(head: [UInt8], end: Int64?) {
        #expect(Self.declaredEnd(head) == end)
        for count in 0..<head.count { _ = Self.declaredEnd(Array(head.prefix(count))) }
    }

    @Test(
        "reads the end that a head declares",
        arguments: [
            (Array("RIFF".utf8) + [0x10, 0x27, 0, 0] + Array("AVI ".utf8), 10_008),
            (Array("RIFF".utf8) + [0xFE, 0xFF, 0xFF, 0xFF], 4_294_967_302),
            (ebml + [0x80] + segment + [0x85], 15),
            (ebml + [0x82, 1, 2] + segment + [0x40, 0x64], 113),
            (ebml + [0x80] + segment + [0x01, 0, 0, 0, 0, 0x0F, 0x42, 0x40], 1_000_017),
        ] as [([UInt8], Int64)])
    func declared(head: [UInt8], end: Int64) {
        #expect(Self.declaredEnd(head) == end)
    }

    @Test(
        "says nothing where the head does not",
        arguments: [
            [], Array("RIFF".utf8), Array("RIFF".utf8) + [0, 0, 0, 0],
            Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF], Array("OggS".utf8),
            ebml, ebml + [0x80], ebml + [0], ebml + [0xFF] + segment + [0x85],
            ebml + [0x80] + segment, ebml + [0x80] + segment + [0xFF],
            ebml + [0x80] + segment + [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            ebml + [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE] + segment + [0x81],
            ebml + [0x80, 1, 2, 3, 4, 5],
        ] as [[UInt8]])
    func undeclared(head: [UInt8]) {
        #expect(Self.declaredEnd(head) == nil)
    }

    @Test("survives chunks of any length before the sound")
    func lengths() {
        let wave: [UInt8] = [
            0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1,
            0x00,
            0x00,
        ]
        let rest = [UInt8](repeating: 1, count: 64)
        for length in [UInt64(Int64.max), UInt64(Int64.max) - 60, 1 << 62, 1 << 40, 65] {
            let size = Self.big(length, 8)
            let core: [UInt8] =
                Array("caff".utf8) + [0, 1, 0, 0] + Array("free".utf8) + size + rest
            #expect(Self.declaredEnd(core) == nil)
            let head: [UInt8] = wave + [UInt8](repeating: 2, count: 24)
            let sony: [UInt8] = head + [UInt8](repeating: 3, count: 16) + size.reversed() + rest
            #expect(Self.declaredEnd(sony) == nil)
        }
    }

    @Test("survives every cut of a head")
    func cuts() {
        let head = Self.ebml + [0x82, 1, 2] + Self.segment + [0x01, 0, 0, 0, 0, 1, 0, 0]
        for count in 0..<head.count {
            #expect(Self.declaredEnd(Array(head.prefix(count))) == nil)
        }
    }
}

import Testing

@testable import TakeupExport

@Suite("ContainerExtent")
struct ContainerExtentTests {
    private static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
    private static let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]

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
        #expect(ContainerExtent.declaredEnd(head: head) == end)
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
        #expect(ContainerExtent.declaredEnd(head: head) == nil)
    }

    @Test("survives every cut of a head")
    func cuts() {
        let head = Self.ebml + [0x82, 1, 2] + Self.segment + [0x01, 0, 0, 0, 0, 1, 0, 0]
        for count in 0..<head.count {
            #expect(ContainerExtent.declaredEnd(head: Array(head.prefix(count))) == nil)
        }
    }
}

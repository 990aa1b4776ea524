import Testing

@testable import TakeupFiles

@Suite("CRC32C")
struct CRC32CTests {
    @Test(
        "agrees with the standard's vectors",
        arguments: [
            (Array("123456789".utf8), 0xE306_9283),
            ([], 0),
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            ([UInt8](0..<32), 0x46DD_794E),
        ] as [([UInt8], UInt32)])
    func vectors(_ bytes: [UInt8], _ expected: UInt32) {
        #expect(CRC32C.of(bytes) == expected)
        #expect(bytes.withUnsafeBytes { CRC32C.byTable($0, after: 0) } == expected)
    }

    @Test("is the same by instruction and by table, whole and in pieces")
    func pieces() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }
        let whole = CRC32C.of(bytes)
        for cut in [0, 1, 7, 8, 9, 500, 999, 1000] {
            let first = CRC32C.of(Array(bytes[..<cut]))
            #expect(CRC32C.of(Array(bytes[cut...]), after: first) == whole)
            let rest = Array(bytes[cut...])
            #expect(rest.withUnsafeBytes { CRC32C.byTable($0, after: first) } == whole)
        }
    }
}

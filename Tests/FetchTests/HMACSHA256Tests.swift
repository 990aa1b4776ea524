import TakeupDigest
import Testing

@Suite("HMACSHA256")
struct HMACSHA256Tests {
    /// One row of RFC 4231, section 4.
    struct Row: Sendable, CustomTestStringConvertible {
        var number: Int
        var key: [UInt8]
        var text: [UInt8]
        var code: String

        var testDescription: String { "case \(number)" }
    }

    /// Case 5 is of a shortened code, which is not made here.
    static let rows = [
        Row(
            number: 1, key: Array(repeating: 0x0b, count: 20), text: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Row(
            number: 2, key: Array("Jefe".utf8), text: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Row(
            number: 3, key: Array(repeating: 0xaa, count: 20),
            text: Array(repeating: 0xdd, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Row(
            number: 4, key: Array(1...25), text: Array(repeating: 0xcd, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Row(
            number: 6, key: Array(repeating: 0xaa, count: 131),
            text: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Row(
            number: 7, key: Array(repeating: 0xaa, count: 131),
            text: Array(
                ("This is a test using a larger than block-size key and a larger than block-size "
                    + "data. The key needs to be hashed before being used by the HMAC algorithm.")
                    .utf8),
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test("gives the codes of the RFC", arguments: rows)
    func vectors(row: Row) throws {
        #expect(RunningDigest.digits(try HMACSHA256.of(row.text, key: row.key)) == row.code)
        // A key that is prepared once signs one text after the other.
        let key = HMACSHA256.Key(row.key)
        for _ in 0..<2 { #expect(RunningDigest.digits(key.code(of: row.text)) == row.code) }
    }

    @Test("signs with an empty key, and signs nothing")
    func empty() throws {
        #expect(
            RunningDigest.digits(try HMACSHA256.of([], key: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }
}

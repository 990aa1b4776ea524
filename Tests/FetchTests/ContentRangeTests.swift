import TakeupFetch
import TakeupFields
import Testing

@Suite("Content-Range")
struct ContentRangeTests {
    @Test("reads parts, with and without the whole length")
    func reads() {
        #expect(ContentRange("bytes 0-0/1") == .bytes(0..<1, total: 1))
        #expect(ContentRange("bytes 5-9/10") == .bytes(5..<10, total: 10))
        #expect(ContentRange(" Bytes  5-9/*\t") == .bytes(5..<10, total: nil))
        #expect(ContentRange("bytes */0") == .unsatisfied(total: 0))
        #expect(ContentRange("bytes */1000") == .unsatisfied(total: 1000))
        let largest = Int64.max
        #expect(
            ContentRange("bytes 0-\(largest - 1)/\(largest)") == .bytes(0..<largest, total: largest)
        )
    }

    @Test(
        "refuses what is malformed or impossible",
        arguments: [
            "", "bytes", "bytes ", "bytes 0-1", "bytes 0-1/", "bytes /10", "bytes -/10",
            "bytes 0-/10", "bytes -5/10", "bytes 5-4/10", "bytes 0-10/10", "bytes 0-1/-1",
            "bytes -1-5/10", "bytes +0-1/10", "bytes 0-1/10/20", "bytes 0-1-2/10", "bytes */*",
            "bytes=0-1/10", "items 0-1/10", "0-1/10", "bytes 0x0-0x1/10", "bytes 0 - 1/10",
            "bytes 0-9223372036854775807/*", "bytes 0-1/9223372036854775808",
            "bytes 18446744073709551616-18446744073709551617/*", "bytes 0-1/1e3", "bytes ٠-١/١٠",
        ])
    func refuses(text: String) {
        #expect(ContentRange(text) == nil)
    }
}

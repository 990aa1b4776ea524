import TakeupHTTP
import Testing

@Suite("Ranges of a request")
struct ByteRangesTests {
    @Test(
        "are those bytes of a thousand",
        arguments: [
            ("bytes=0-8", [0..<9]), ("bytes=-10", [990..<1000]), ("bytes=990-", [990..<1000]),
            ("bytes=990-1990", [990..<1000]), ("bytes=0-0", [0..<1]), ("bytes=999-", [999..<1000]),
            ("bytes=-5000", [0..<1000]), ("bytes=-0", []), ("bytes=1000-", []),
            ("BYTES=0-8", [0..<9]), ("bytes= 0-8 ,\t, -10,", [0..<9, 990..<1000]),
            ("bytes=0-9223372036854775807", [0..<1000]), ("bytes=-9223372036854775807", [0..<1000]),
            ("bytes=9223372036854775807-", []),
            ("bytes=0-9,-10,100000-,10-19", [0..<20, 990..<1000]),
            ("bytes=500-599,0-9,590-610", [500..<611, 0..<10]),
            ("bytes=0-9,200-209,111-111", [0..<10, 111..<210]),
            ("bytes=0-9,300-309,110-200", [0..<310]), ("bytes=-1,0-0,-1000", [0..<1000]),
        ])
    func resolve(text: String, ranges: [Range<Int64>]) throws {
        #expect(try #require(ByteRanges(text)).resolved(length: 1000) == ranges)
    }

    @Test(
        "that cannot be read are none",
        arguments: [
            "", "bytes", "bytes=", "bytes=,", "items=0-5", "bytes=alpha", "bytes=10",
            "bytes=10-alpha", "bytes=5-2", "bytes=--1", "bytes=-", "bytes=0-1-2", "bytes=+1-2",
            "bytes=0x1-2", "bytes=1 -2", "bytes =1-2", "bytes=9223372036854775807-0",
            "bytes=18446744073709551616-", "bytes=0-18446744073709551616",
            "bytes=-18446744073709551616", "bytes=0-1,5-2", "bytes=0-1;2-3", "bytes=٣-٤",
        ])
    func malformed(text: String) {
        #expect(ByteRanges(text) == nil)
    }

    @Test("are sixteen at most")
    func sixteen() {
        let sixteen = (0..<16).map { "\($0 * 1000)-\($0 * 1000)" }.joined(separator: ",")
        #expect(ByteRanges("bytes=\(sixteen)")?.parts.count == 16)
        #expect(ByteRanges("bytes=\(sixteen),-1") == nil)
    }

    @Test("of nothing are none, and of the largest object do not overflow")
    func extremes() throws {
        for text in ["bytes=0-", "bytes=-1", "bytes=0-0"] {
            #expect(try #require(ByteRanges(text)).resolved(length: 0) == [])
        }
        let most = Int64.max
        let ranges = try #require(ByteRanges("bytes=0-0,-1,9223372036854775806-"))
        #expect(ranges.resolved(length: most) == [0..<1, most - 1..<most])
    }
}

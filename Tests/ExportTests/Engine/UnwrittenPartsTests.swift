import TakeupFFmpeg
import Testing

@testable import TakeupExport

@Suite("Parts that were never written")
struct UnwrittenPartsTests {
    /// Bytes that are not 0, but for some ranges.
    private func found(
        _ container: String, bytes: Int, zeros: [Range<Int>], tag: [UInt8] = [],
        failsFrom: Int = .max
    ) -> [Range<Int64>] {
        var all = [UInt8](repeating: 0x55, count: bytes)
        all.replaceSubrange(0..<tag.count, with: tag)
        for range in zeros {
            all.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
        }
        return UnwrittenParts.find(MemorySource(all, failsFrom: failsFrom), container)
    }

    struct Kind: CustomTestStringConvertible {
        let least: Int
        let containers: [String]
        var testDescription: String { containers.joined(separator: ", ") }
    }

    static let kinds = [
        Kind(
            least: 16 << 10,
            containers: [
                "aac", "ac3", "eac3", "dts", "mp3", "h264", "hevc", "m4v", "dv", "mpegts",
            ]),
        Kind(least: 64 << 10, containers: ["mpeg", "ogg"]),
        Kind(least: 2 << 20, containers: ["mjpeg", "mpegvideo"]),
    ]

    @Test("a hole counts from the least length of its container on", arguments: kinds)
    func least(kind: Kind) {
        for container in kind.containers {
            // Wherever the hole lies, a probe falls into it.
            for start in [1, kind.least / 2 - 1, kind.least + 7] {
                let hole = start..<start + kind.least
                let bytes = hole.upperBound + 100_000
                #expect(found(container, bytes: bytes, zeros: [hole]) == [whole(hole)])
                let short = start..<start + kind.least - 1
                #expect(found(container, bytes: bytes, zeros: [short]).isEmpty)
            }
        }
    }

    @Test(
        "containers whose media may hold zeros are left alone",
        arguments: ["mov,mp4", "wav", "matroska,webm"])
    func others(container: String) {
        #expect(found(container, bytes: 1 << 20, zeros: [1 << 10..<1 << 19]).isEmpty)
    }

    @Test("several holes are told in order, each once")
    func several() {
        let holes = [10..<40_000, 40_001..<70_000, 200_000..<300_000]
        #expect(found("h264", bytes: 400_000, zeros: holes) == holes.map(whole))
    }

    @Test("zeros at the end or the start are padding, unless they are a large part of the file")
    func padding() {
        let bytes = 2 << 20
        for length in [16 << 10, (64 << 10) - 1] {
            #expect(found("h264", bytes: bytes, zeros: [bytes - length..<bytes]).isEmpty)
            #expect(found("h264", bytes: bytes, zeros: [0..<length]).isEmpty)
        }
        let tail = bytes - (64 << 10)..<bytes
        #expect(found("h264", bytes: bytes, zeros: [tail]) == [whole(tail)])
        let head = 0..<64 << 10
        #expect(found("h264", bytes: bytes, zeros: [head]) == [whole(head)])
        let small = (300 << 10) - (16 << 10)..<300 << 10
        #expect(found("h264", bytes: 300 << 10, zeros: [small]) == [whole(small)])
    }

    @Test("a tag may be padded with zeros; what follows it is looked at")
    func tag() {
        // 100,000 bytes, seven bits each.
        let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 6, 13, 32]
        let hole = 200_000..<250_000
        let zeros = [10..<100_010, hole]
        #expect(found("mp3", bytes: 400_000, zeros: zeros, tag: tag) == [whole(hole)])
    }

    @Test("what cannot be read is not taken for zeros")
    func failure() {
        let zeros = [100_000..<300_000]
        let found = found("h264", bytes: 400_000, zeros: zeros, failsFrom: 150_000)
        #expect(found.allSatisfy { $0.upperBound <= 150_000 })
    }

    private func whole(_ range: Range<Int>) -> Range<Int64> {
        Int64(range.lowerBound)..<Int64(range.upperBound)
    }
}

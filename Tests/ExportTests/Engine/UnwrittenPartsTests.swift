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
        guard let window = ByteWindow(MemorySource(all, failsFrom: failsFrom)) else { return [] }
        return UnwrittenParts.find(window, container)
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
                "aac", "ac3", "eac3", "dts", "dtshd", "loas", "mlp", "truehd", "mp3", "h264",
                "hevc", "obu", "m4v", "vc1", "dv", "mpegts",
            ]),
        Kind(least: 64 << 10, containers: ["mpeg", "ogg"]),
        Kind(least: 2 << 20, containers: ["mjpeg", "jpeg_pipe", "mpegvideo"]),
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

    /// The least length at either end of a file of 8 MB, and of 300 KiB.
    static let ends: [(String, Int, Int?)] = [
        ("h264", 64 << 10, 16 << 10), ("mpegts", 64 << 10, 16 << 10), ("mpeg", 64 << 10, 16 << 10),
        ("ogg", 64 << 10, 16 << 10), ("mjpeg", 64 << 10, 16 << 10),
        ("mpegvideo", 2 << 20, nil), ("flac", 64 << 10, 16 << 10),
    ]

    @Test("zeros at the end or the start are padding, unless they are many", arguments: ends)
    func padding(container: String, least: Int, leastOfSmall: Int?) {
        for (bytes, least) in [(8_000_000, least), (300 << 10, leastOfSmall)] {
            guard let least else { continue }
            for (length, isPart) in [(least - 1, false), (least, true)] {
                let tail = bytes - length..<bytes
                let head = 0..<length
                // The header of FLAC may be padded, and its numbers tell what is missing.
                let isHead = isPart && container != "flac"
                #expect(
                    found(container, bytes: bytes, zeros: [tail]) == (isPart ? [whole(tail)] : []))
                #expect(
                    found(container, bytes: bytes, zeros: [head]) == (isHead ? [whole(head)] : []))
            }
        }
    }

    @Test("tags at the end are no part of the media, and neither are their zeros")
    func tagsBehind() {
        let old: [UInt8] = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        let image = [UInt8](repeating: 0, count: 100_000)
        // The length of 100,032 bytes counts the footer.
        let numbers: [UInt8] = [0xD0, 7, 0, 0, 0xC0, 0x86, 1, 0]
        let footer: [UInt8] =
            Array("APETAGEX".utf8) + numbers + [UInt8](repeating: 0, count: 16)
        let media = [UInt8](repeating: 0x55, count: 100_000)
        for tags in [old, image + footer, image + footer + old] {
            let window = ByteWindow(MemorySource(media + tags))
            #expect(window.map { UnwrittenParts.find($0, "mp3") } == [])
        }
    }

    @Test("a tag may be padded with zeros; what follows it is looked at")
    func tag() {
        // 100,000 bytes, seven bits each.
        let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 6, 13, 32]
        let hole = 200_000..<250_000
        let zeros = [10..<100_010, hole]
        #expect(found("mp3", bytes: 400_000, zeros: zeros, tag: tag) == [whole(hole)])
        let two = tag + [UInt8](repeating: 0, count: 100_000) + tag
        let all = [hole] + [two.count..<two.count + 80_000]
        #expect(found("mp3", bytes: 400_000, zeros: all, tag: two) == [whole(200_020..<250_000)])
    }

    @Test("what cannot be read is not taken for zeros")
    func failure() {
        let zeros = [100_000..<300_000]
        #expect(found("h264", bytes: 400_000, zeros: zeros) == [whole(100_000..<300_000)])
        for place in [50_000, 150_000, 350_000] {
            #expect(found("h264", bytes: 400_000, zeros: zeros, failsFrom: place).isEmpty)
        }
    }

    private func whole(_ range: Range<Int>) -> Range<Int64> {
        Int64(range.lowerBound)..<Int64(range.upperBound)
    }
}

internal import TakeupFFmpeg

/// Finds what was never written of a file: an upload or a download that reserves its space first, and then stops or
/// leaves out a part, keeps zeros there.
///
/// Only in containers whose media has no long runs of zeros: a chain of sizes would tell it in the others.
enum UnwrittenParts {
    /// The longest frame of these is shorter (DTS: 16 KiB); elsewhere a start code or a sync byte comes sooner.
    private static let leastBytes: Int64 = 16 << 10
    /// Pages of Ogg and packets of a program stream may hold so many zeros of sound.
    private static let leastPageBytes: Int64 = 64 << 10
    /// A flat JPEG picture of 8K, with Huffman tables made for it, is shorter, and so is what an MPEG-2 encoder of a
    /// constant rate fills a picture up with.
    ///
    /// - Note: Source: ISO/IEC 13818-2 §8.4: the largest buffer, of High level, has 1.2 MB.
    private static let leastPictureBytes: Int64 = 2 << 20
    /// Less than so much before the start or behind the end is padding, unless it is a large part of a small file.
    private static let paddingBytes: Int64 = 64 << 10
    private static let smallPaddingBytes: Int64 = 16 << 10
    private static let smallPaddingShare: Int64 = 20
    private static let probeBytes = 16

    private static func least(_ container: String) -> Int64? {
        switch container {
        case "aac", "ac3", "eac3", "dts", "mp3", "h264", "hevc", "m4v", "dv", "mpegts":
            leastBytes
        case "mpeg", "ogg": leastPageBytes
        case "mjpeg", "mpegvideo": leastPictureBytes
        default: nil
        }
    }

    /// - Returns: Ranges of bytes, in order.
    static func find(_ source: any ByteSource, _ container: String) -> [Range<Int64>] {
        guard let least = least(container), let window = ByteWindow(source) else { return [] }
        var parts: [Range<Int64>] = []
        let tag = tagEnd(window)
        var place = tag
        var probe = [UInt8](repeating: 0, count: probeBytes)
        // Every part that is long enough holds at least one whole probe.
        while place + Int64(probeBytes) <= window.size {
            guard let count = try? source.bytes(at: place, into: &probe) else { break }
            guard count == probeBytes, probe.allSatisfy({ $0 == 0 }) else {
                place += least / 2
                continue
            }
            var start = place
            let bound = parts.last?.upperBound ?? tag
            while start > bound, window[start - 1] == 0 { start -= 1 }
            let end = window.firstNonZero(from: place)
            let padding = min(paddingBytes, max(smallPaddingBytes, window.size / smallPaddingShare))
            let isWithin = start > tag && end < window.size
            if end - start >= (isWithin ? least : padding) { parts.append(start..<end) }
            place = max(end, place + least / 2)
        }
        return parts
    }

    /// Where a tag at the start ends, which may be padded with zeros.
    ///
    /// - Note: Source: ID3v2.4.0 §3.1: ten bytes, of which the last four are the size, seven bits each.
    private static func tagEnd(_ window: ByteWindow) -> Int64 {
        guard window.has(Array("ID3".utf8), at: 0) else { return 0 }
        return (6..<10).reduce(Int64(0)) { $0 << 7 | Int64((window[$1] ?? 0) & 0x7F) } + 10
    }
}

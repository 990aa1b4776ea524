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

    /// - Returns: The least length of a hole; nil where the media may hold zeros.
    private static func least(_ container: String) -> Int64? {
        switch container {
        case "aac", "ac3", "eac3", "dts", "dtshd", "loas", "mlp", "truehd", "mp3", "h264", "hevc",
            "obu", "m4v", "vc1", "dv", "mpegts":
            leastBytes
        case "mpeg", "ogg": leastPageBytes
        case "mjpeg", "jpeg_pipe", "mpegvideo": leastPictureBytes
        default: nil
        }
    }

    /// - Returns: Ranges of bytes, in order.
    static func find(_ window: ByteWindow, _ container: String) -> [Range<Int64>] {
        // A hole in FLAC shows in the numbers of its frames, and its header may be padded: its end alone counts.
        let least = least(container)
        guard least != nil || container == "flac" else { return [] }
        let (start, end) = media(window)
        let padding = min(paddingBytes, max(smallPaddingBytes, window.size / smallPaddingShare))
        // MPEG-2 of a constant rate fills its last picture up too.
        let leastAtEnds = container == "mpegvideo" ? max(padding, leastPictureBytes) : padding
        let head = least == nil ? start : min(end, window.firstNonZero(from: start))
        let tail = window.startOfZeros(before: end, notBefore: head)
        var parts: [Range<Int64>] = []
        if head - start >= leastAtEnds { parts.append(start..<head) }
        if let least { parts += holes(window, head..<tail, least) }
        if end - tail >= leastAtEnds { parts.append(tail..<end) }
        return parts
    }

    /// Looks at so few places that every part that is long enough holds one of them.
    private static func holes(
        _ window: ByteWindow, _ range: Range<Int64>, _ least: Int64
    ) -> [Range<Int64>] {
        var parts: [Range<Int64>] = []
        let probe = [UInt8](repeating: 0, count: probeBytes)
        var place = range.lowerBound
        while place + Int64(probeBytes) <= range.upperBound, window.failure == nil {
            guard window.has(probe, at: place) else {
                place += least / 2
                continue
            }
            let end = min(range.upperBound, window.firstNonZero(from: place))
            let bound = parts.last?.upperBound ?? range.lowerBound
            let start = window.startOfZeros(before: place, notBefore: bound)
            if end - start >= least { parts.append(start..<end) }
            place = max(end, place + least / 2)
        }
        return parts
    }

    /// What lies between the tags at the start and at the end, which may hold zeros.
    static func media(_ window: ByteWindow) -> (start: Int64, end: Int64) {
        var start: Int64 = 0
        while let next = tagEnd(window, at: start), next < window.size { start = next }
        var end = window.size
        if end - start > 128, window.has(Array("TAG".utf8), at: end - 128) { end -= 128 }
        // Source: APE tag 2.0: its footer of 32 bytes tells the length of all but its header.
        if window.has(Array("APETAGEX".utf8), at: end - 32),
            let length = window.littleEndian(at: end - 20, bytes: 4), length < end - start
        {
            end -= length
        }
        return (start, end)
    }

    /// Where an ID3 tag ends.
    ///
    /// - Note: Source: ID3v2.4.0 §3.1: ten bytes, of which the last four are the size, seven bits each.
    static func tagEnd(_ window: ByteWindow, at place: Int64) -> Int64? {
        guard window.has(Array("ID3".utf8), at: place) else { return nil }
        let size = (6..<10).reduce(Int64(0)) {
            $0 << 7 | Int64((window[place + $1] ?? 0) & 0x7F)
        }
        return place + 10 + size
    }
}

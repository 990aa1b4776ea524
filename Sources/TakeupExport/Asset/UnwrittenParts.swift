/// Finds parts of a file that were never written and are zeros: a stopped upload or download may
/// have reserved its space.
///
/// The search covers only containers with media that has no long runs of zeros. In other
/// containers, a chain of sizes shows the loss.
enum UnwrittenParts {
    /// Shortest hole, in bytes.
    ///
    /// Each frame is shorter (DTS: 16 KiB), or a start code or sync byte comes sooner.
    private static let leastBytes: Int64 = 16 << 10
    /// Shortest hole in Ogg and programme streams: their pages and packets may hold this many zeros
    /// of sound.
    private static let leastPageBytes: Int64 = 64 << 10
    /// Shortest hole within pictures, in bytes.
    ///
    /// A flat 8K JPEG with optimized Huffman tables has shorter runs of zeros. The same is true of
    /// the stuffing of a constant-rate MPEG-2 encoder.
    ///
    /// - Note: Source: ISO/IEC 13818-2 §8.4: the largest buffer, of High level, has 1.2 MB.
    private static let leastPictureBytes: Int64 = 2 << 20
    /// Fewer zeros than this at the start or end are padding, unless they are a large part of a
    /// small file.
    private static let paddingBytes: Int64 = 64 << 10
    private static let smallPaddingBytes: Int64 = 16 << 10
    private static let smallPaddingShare: Int64 = 20
    private static let probeBytes = 16

    /// - Returns: The shortest hole, in bytes; nil if the media may hold long runs of zeros.
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

    /// - Returns: Byte ranges, in order.
    static func find(_ window: ByteWindow, _ container: String) -> [Range<Int64>] {
        // Only FLAC's end counts: its frame numbers show a gap, and its header may be padded.
        let least = least(container)
        guard least != nil || container == "flac" else { return [] }
        let (start, end) = media(window)
        let padding = padding(window)
        // MPEG-2 of a constant rate also pads its last picture.
        let leastAtEnds = container == "mpegvideo" ? max(padding, leastPictureBytes) : padding
        let head = least == nil ? start : min(end, window.firstNonZero(from: start))
        let tail = window.startOfZeros(before: end, notBefore: head)
        var parts: [Range<Int64>] = []
        if head - start >= leastAtEnds { parts.append(start..<head) }
        if let least { parts += holes(window, head..<tail, least) }
        if end - tail >= leastAtEnds { parts.append(tail..<end) }
        return parts
    }

    /// Returns how many bytes without media are no loss at either end.
    static func padding(_ window: ByteWindow) -> Int64 {
        min(paddingBytes, max(smallPaddingBytes, window.size / smallPaddingShare))
    }

    /// Probes places that are so close together that every long enough hole contains one.
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

    /// Returns the range between the tags at the start and at the end; tags may contain zeros.
    static func media(_ window: ByteWindow) -> (start: Int64, end: Int64) {
        var start: Int64 = 0
        while let next = tagEnd(window, at: start), next < window.size { start = next }
        var end = window.size
        if end - start > 128, window.has(Array("TAG".utf8), at: end - 128) { end -= 128 }
        if let lyrics = lyricsStart(window, before: end), lyrics > start { end = lyrics }
        // Source: APE tag 2.0: its footer of 32 bytes tells the length of all but its header.
        if window.has(Array("APETAGEX".utf8), at: end - 32),
            let length = window.littleEndian(at: end - 20, bytes: 4), length < end - start
        {
            end -= length
        }
        return (start, end)
    }

    /// Returns where the Lyrics3 tag that ends at an offset begins; nil if there is none.
    ///
    /// - Note: Source: Lyrics3 v2.00: six digits before the mark at its end count all before them.
    private static func lyricsStart(_ window: ByteWindow, before end: Int64) -> Int64? {
        guard window.has(Array("LYRICS200".utf8), at: end - 9) else { return nil }
        let digits = (0..<6).compactMap { window[end - 15 + $0] }
        guard let length = Int64(String(decoding: digits, as: UTF8.self)),
            window.has(Array("LYRICSBEGIN".utf8), at: end - 15 - length)
        else { return nil }
        return end - 15 - length
    }

    /// Returns where an ID3 tag ends.
    ///
    /// - Note: Source: ID3v2.4.0 §3.1: ten bytes, of which the last four are the size, seven bits
    ///   each.
    static func tagEnd(_ window: ByteWindow, at place: Int64) -> Int64? {
        guard window.has(Array("ID3".utf8), at: place) else { return nil }
        let size = (6..<10).reduce(Int64(0)) {
            $0 << 7 | Int64((window[place + $1] ?? 0) & 0x7F)
        }
        return place + 10 + size
    }
}

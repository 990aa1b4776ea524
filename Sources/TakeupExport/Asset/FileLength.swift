internal import TakeupTimeline

/// Finds where a file ends whose demuxer stops there, or takes what follows for damage.
struct FileLength {
    private let window: ByteWindow
    /// Where the file begins, behind its tag.
    private let start: Int64

    /// - Parameters:
    ///   - window: The source.
    ///   - start: Where the file or the tag before it begins.
    init(_ window: ByteWindow, from start: Int64) {
        self.window = window
        self.start = UnwrittenParts.tagEnd(window, at: start) ?? start
    }

    /// - Parameter container: FFmpeg's name of the container.
    /// - Returns: nil if the file does not state its end, or ends before it.
    func end(_ container: String) -> Int64? {
        let end: Int64?
        switch container {
        case "amr": end = adaptive()
        case "ape": end = monkey()
        case "apng": end = picture()
        case "dsf": end = directStream()
        case "gif": end = GIFWalk(window).end(from: start)
        case "rm": end = RealMediaWalk(window).end(from: start)
        case "swf": end = flash()
        case "tta": end = trueAudio()
        case "voc": end = voice()
        case "wv": end = wavPack()
        default: end = nil
        }
        return end.flatMap { $0 > start && $0 <= window.size ? $0 : nil }
    }

    private func has(_ text: String, at place: Int64) -> Bool {
        window.has(Array(text.utf8), at: place)
    }

    /// Returns a little-endian number in the file.
    private func length(at offset: Int64, bytes: Int64) -> Int64? {
        window.littleEndian(at: start + offset, bytes: bytes)
    }

    private static let narrow: [Int64] = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1]
    private static let wide: [Int64] = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1]

    /// - Note: Source: RFC 4867 §5: a mark, then frames, whose first byte tells their length.
    private func adaptive() -> Int64? {
        let isWide = has("#!AMR-WB\n", at: start)
        guard isWide || has("#!AMR\n", at: start) else { return nil }
        let lengths = isWide ? Self.wide : Self.narrow
        var place = start + (isWide ? 9 : 6)
        while let head = window[place], head & 0x83 == 0 { place += lengths[Int(head >> 3)] }
        return place
    }

    /// - Note: Source: DSF File Format Specification 1.01: a mark, the length of the first chunk, and that of the file.
    private func directStream() -> Int64? {
        guard has("DSD ", at: start) else { return nil }
        return length(at: 12, bytes: 8).map { start.addingClamped($0) }
    }

    /// - Note: Source: SWF File Format Specification 19, chapter 2: a mark, a version, and the length. What is
    ///   compressed does not tell its end.
    private func flash() -> Int64? {
        guard has("FWS", at: start), let version = window[start + 3], (1...50).contains(version),
            let bytes = length(at: 4, bytes: 4), bytes > 20
        else { return nil }
        return start + bytes
    }

    /// - Note: Source: `APE_DESCRIPTOR` of Monkey's Audio SDK 3.98: the lengths of all that follows it.
    private func monkey() -> Int64? {
        guard has("MAC ", at: start), let version = length(at: 4, bytes: 2), version >= 3980
        else { return nil }
        let parts = [8, 12, 16, 20, 24, 32].compactMap { length(at: $0, bytes: 4) }
        guard parts.count == 6, let high = length(at: 28, bytes: 4), high < 1 << 20
        else { return nil }
        return start.addingClamped(parts.reduce(high << 32, +))
    }

    /// - Note: Source: Portable Network Graphics 1.2 §3: chunks of a length, a name, content and a checksum.
    private func picture() -> Int64? {
        var place = start + 8
        while let size = window.number(at: place, bytes: 4) {
            let next = place + 12 + size
            if has("IEND", at: place + 4) { return next }
            place = next
        }
        return nil
    }

    /// - Note: Source: TTA1 format description: a header of 22 bytes, then a table of the frames' lengths; a frame
    ///   lasts 256/245 s.
    private func trueAudio() -> Int64? {
        guard has("TTA1", at: start), let rate = length(at: 10, bytes: 4), rate > 0,
            let samples = length(at: 14, bytes: 4)
        else { return nil }
        let frame = max(1, 256 * rate / 245)
        let frames = (samples + frame - 1) / frame
        guard start + 26 + 4 * frames <= window.size else { return nil }
        var end = start + 26 + 4 * frames
        for place in 0..<frames {
            guard let bytes = length(at: 22 + 4 * place, bytes: 4) else { return nil }
            end = end.addingClamped(bytes)
        }
        return end
    }

    /// - Note: Source: the file format in Creative Labs' Sound Blaster developer kit: blocks up to one of type 0.
    private func voice() -> Int64? {
        guard let head = length(at: 20, bytes: 2) else { return nil }
        var place = start + head
        while let type = window[place], type <= 9 {
            if type == 0 { return place + 1 }
            guard let size = window.littleEndian(at: place + 1, bytes: 3), size > 0 else {
                return nil
            }
            place += 4 + size
        }
        return place
    }

    /// - Note: Source: WavPack 4 & 5 File Format: blocks; the first one of a file has an index of 0, samples, and the
    ///   mark of a first channel.
    private func wavPack() -> Int64? {
        var place = start
        while has("wvpk", at: place), let size = window.littleEndian(at: place + 4, bytes: 4),
            let index = window.littleEndian(at: place + 16, bytes: 4),
            let samples = window.littleEndian(at: place + 20, bytes: 4),
            let flags = window[place + 25]
        {
            if place > start, index == 0, samples > 0, flags & 8 != 0 { return place }
            place += 8 + size
        }
        return place
    }
}

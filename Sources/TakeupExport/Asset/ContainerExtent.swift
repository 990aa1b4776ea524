internal import TakeupTimeline

/// Finds the end of the media or of the file as the container declares it.
enum ContainerExtent {
    /// Highest number of chunks to follow before the one with the sound.
    private static let mostChunks = 10_000
    /// Placeholder lengths of sound from FFmpeg, SoX and `arecord`, for output that cannot seek
    /// back.
    private static let unknown: Set<Int64> = [
        0, 0x7F00_0000, 0x7F00_0008, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
    ]
    /// Other placeholder lengths are one of these numbers minus the length of some headers.
    private static let largest: [Int64] = [1 << 31, 1 << 32]
    private static let mostHeaders: Int64 = 64 << 10

    /// - Returns: The declared end, in bytes from the start; nil if the container does not state
    ///   one.
    static func declaredEnd(_ window: ByteWindow) -> Int64? {
        let starts = { (text: String) in window.has(Array(text.utf8), at: 0) }
        if starts("RIFF") { return riff(window) }
        if starts("RF64") || starts("BW64") {
            return soundChunk(window, from: 12, isLittle: true, large: 28)
        }
        if starts("FORM") { return soundChunk(window, from: 12, isLittle: false) }
        if starts("caff") { return coreAudio(window) }
        if starts(".snd") { return sun(window) }
        if window.has(wave64, at: 0) { return sonyWave(window) }
        if window.has([0x1A, 0x45, 0xDF, 0xA3], at: 0) { return matroska(window) }
        if window.has(ASFObjects.header, at: 0) { return asf(window) }
        return nil
    }

    /// - Note: Source: Advanced Systems Format 01.20.03 §3.2: the file properties object; a
    ///   broadcast does not know its size.
    private static func asf(_ window: ByteWindow) -> Int64? {
        guard let properties = ASFObjects(window)?.fileProperties,
            (window[properties + 88] ?? 1) & 1 == 0,
            let size = window.littleEndian(at: properties + 40, bytes: 8), size > 0
        else { return nil }
        return size
    }

    /// - Note: Source: Multimedia Programming Interface 1.0; 0 and all ones stand for unknown.
    private static func riff(_ window: ByteWindow) -> Int64? {
        if window.has(Array("WAVE".utf8), at: 8) {
            return soundChunk(window, from: 12, isLittle: true)
        }
        guard let size = window.littleEndian(at: 4, bytes: 4) else { return nil }
        return size == 0 || size == 0xFFFF_FFFF ? nil : size + 8
    }

    /// Returns where the sound of a WAV or AIFF file ends; later chunks may hold text.
    ///
    /// `large` is the offset of a length that is too long for its chunk's field.
    ///
    /// - Note: Source: Multimedia Programming Interface 1.0; EBU Tech 3306 (RF64); ITU-R BS.2088
    ///   (BW64); Audio Interchange File Format 1.3.
    private static func soundChunk(
        _ window: ByteWindow, from start: Int64, isLittle: Bool, large: Int64? = nil
    ) -> Int64? {
        var place = start
        for _ in 0..<mostChunks {
            let size =
                isLittle
                ? window.littleEndian(at: place + 4, bytes: 4)
                : window.number(at: place + 4, bytes: 4)
            guard let size else { return nil }
            if window.has(Array((isLittle ? "data" : "SSND").utf8), at: place) {
                if size == 0xFFFF_FFFF, large != nil {
                    let told = large.flatMap { window.littleEndian(at: $0, bytes: 8) } ?? 0
                    return told > 0 ? (place + 8).addingClamped(told) : nil
                }
                return isUnknown(size, window) ? nil : place + 8 + size
            }
            place += 8 + size + (size & 1)
        }
        return nil
    }

    /// - Note: Source: Apple Core Audio Format 1.0: a length of -1 is unknown, and reaches to the end.
    private static func coreAudio(_ window: ByteWindow) -> Int64? {
        var place: Int64 = 8
        for _ in 0..<mostChunks {
            guard let size = window.number(at: place + 4, bytes: 8), size >= 0 else { return nil }
            let end = (place + 12).addingClamped(size)
            if window.has(Array("data".utf8), at: place) { return size > 4 ? end : nil }
            // Nothing follows beyond the file's end, and sums of offsets could overflow.
            guard end < window.size else { return nil }
            place = end
        }
        return nil
    }

    /// - Note: Source: the header of Sun's audio files: where the sound begins, and its length, all ones if unknown.
    private static func sun(_ window: ByteWindow) -> Int64? {
        guard let start = window.number(at: 4, bytes: 4), let size = window.number(at: 8, bytes: 4)
        else { return nil }
        return isUnknown(size, window) ? nil : start + size
    }

    /// Returns whether a length of sound is a placeholder; a file with at least half of this length
    /// may be truncated instead.
    private static func isUnknown(_ size: Int64, _ window: ByteWindow) -> Bool {
        unknown.contains(size)
            || largest.contains { ($0 - mostHeaders..<$0).contains(size) } && window.size < size / 2
    }

    private static let wave64: [UInt8] = [
        0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00,
        0x00,
    ]

    /// - Note: Source: Sony Wave64: names of 16 bytes, lengths of 8 that count the head of the chunk too.
    private static func sonyWave(_ window: ByteWindow) -> Int64? {
        var place: Int64 = 40
        for _ in 0..<mostChunks {
            guard let size = window.littleEndian(at: place + 16, bytes: 8), size >= 24
            else { return nil }
            let end = place.addingClamped(size)
            if window.has(Array("data".utf8), at: place) {
                return size > 24 && size < .max ? end : nil
            }
            guard end < window.size else { return nil }
            place = end + ((8 - size & 7) & 7)
        }
        return nil
    }

    /// - Note: Source: RFC 8794 §6 and RFC 9559; a size of all ones is unknown.
    private static func matroska(_ window: ByteWindow) -> Int64? {
        guard let header = variableInteger(window, at: 4), let size = header.value else {
            return nil
        }
        let segment = (4 + header.length).addingClamped(size)
        guard window.has([0x18, 0x53, 0x80, 0x67], at: segment),
            let length = variableInteger(window, at: segment + 4), let bytes = length.value
        else { return nil }
        let (end, overflow) = (segment + 4 + length.length).addingReportingOverflow(bytes)
        return overflow ? nil : end
    }

    private static func variableInteger(
        _ window: ByteWindow, at place: Int64
    ) -> (length: Int64, value: Int64?)? {
        guard let first = window[place], first != 0 else { return nil }
        let length = Int64(first.leadingZeroBitCount) + 1
        guard let whole = window.number(at: place, bytes: length) else { return nil }
        let mark = Int64(1) << (7 * length)
        return (length, whole & (mark - 1) == mark - 1 ? nil : whole & (mark - 1))
    }
}

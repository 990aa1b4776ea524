internal import TakeupFFmpeg

/// Finds files that were concatenated into one, by their containers' heads.
struct ContainerSeams {
    /// Number of bytes after a file's end that are searched for another file.
    static let reach: Int64 = 16 * 1024 * 1024

    /// Containers whose files may begin with an ID3 tag.
    private static let tagged: Set = ["ape", "flac", "tta"]

    /// The end of a file.
    private struct End {
        let place: Int64
        /// Whether the file states its end; otherwise the end lies somewhere after `place`.
        var isKnown = true
    }

    let window: ByteWindow
    /// FFmpeg's name of the container.
    let container: String
    private let head: ContainerHead

    init(window: ByteWindow, container: String) {
        self.window = window
        self.container = container
        head = ContainerHead(window, container: container)
    }

    /// The bytes after a file.
    enum Next: Equatable {
        /// Another file of the same kind, which begins at this offset.
        case file(at: Int64)
        /// No file was found. `tail` is the length of the rest if the rest is longer than the
        /// searched bytes.
        case nothing(tail: Int64)
    }

    /// Finds what follows the file that begins at an offset.
    ///
    /// Bytes between two files belong to the first file, because they may be damaged media instead
    /// of junk.
    func next(after place: Int64) -> Next {
        guard let end = end(after: place), end.place > place else {
            return .nothing(tail: 0)
        }
        let limit = end.isKnown ? min(window.size, end.place + Self.reach) : window.size
        guard end.place < limit, let next = head.next(from: end.place, before: limit) else {
            return .nothing(tail: limit < window.size ? window.size - end.place : 0)
        }
        return .file(
            at: Self.tagged.contains(container) ? tag(before: next, from: end.place) : next)
    }

    private func end(after place: Int64) -> End? {
        if container.contains("mp4") {
            return MovieWalk(window).end(after: place).map { End(place: $0) }
        }
        if container.contains("matroska") {
            return MatroskaWalk(window).end(after: place).map { End(place: $0) }
        }
        switch container {
        case "wav", "avi", "aiff": return chunks(place)
        case "flac": return flac(place)
        case "caf": return coreAudio(place)
        case "au": return sun(place)
        case "w64", "asf", "asf_o": return objects(place)
        case "nut", "wtv": return End(place: place + 1, isKnown: false)
        default: return elements(place).map { End(place: $0) }
        }
    }

    private func elements(_ place: Int64) -> Int64? {
        switch container {
        case "flv": flash(place)
        case "ogg": ogg(place)
        case "mxf": exchange(place)
        case "ivf": ivf(place)
        default: FileLength(window, from: place).end(container)
        }
    }

    private func has(_ text: String, at place: Int64) -> Bool {
        window.has(Array(text.utf8), at: place)
    }

    /// Returns whether an offset lies after a file's beginning and is the beginning of another
    /// file.
    private func isNext(_ place: Int64, _ start: Int64) -> Bool {
        place > start && head.stands(at: place)
    }

    private func number(at place: Int64, bytes: Int64, isLittle: Bool = true) -> Int64? {
        guard isLittle else { return window.number(at: place, bytes: bytes) }
        var value: UInt64 = 0
        for offset in (0..<bytes).reversed() {
            guard let byte = window[place + offset] else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int64(exactly: value)
    }

    /// Returns the offset after an element; nil for an impossible size.
    private func end(of place: Int64, _ size: Int64?, least: Int64) -> Int64? {
        guard let size, size >= least else { return nil }
        let (end, overflow) = place.addingReportingOverflow(size)
        return overflow || end > window.size ? nil : end
    }

    /// - Note: Source: Multimedia Programming Interface 1.0 and EA IFF 85: chunks have even lengths; a long AVI
    ///   goes on in a chunk of another form. EBU Tech 3306: a long WAV has its size in a chunk behind its name.
    private func chunks(_ start: Int64) -> End? {
        let names = ["RIFF", "RF64", "BW64", "FORM"]
        var place = start
        while let name = names.first(where: { has($0, at: place) }), !isNext(place, start) {
            var size = number(at: place + 4, bytes: 4, isLittle: name != "FORM")
            if name != "RIFF", has("ds64", at: place + 12) {
                size = number(at: place + 20, bytes: 8)
            } else if size == 0 || size == 0xFFFF_FFFF {
                return End(place: place + 12, isKnown: false)
            }
            guard let size, size >= 4, size < window.size else { return nil }
            let end = place + 8 + size
            place = size & 1 == 1 && !head.stands(at: end) ? end + 1 : end
        }
        return End(place: place)
    }

    /// Walks a FLAC file: the metadata blocks state their lengths; the frames after them do not.
    ///
    /// - Note: Source: RFC 9639 §8.
    private func flac(_ start: Int64) -> End? {
        var place = start
        if let size = tagSize(at: place) { place += size }
        guard has("fLaC", at: place) else { return nil }
        place += 4
        while let mark = window[place], let size = window.number(at: place + 1, bytes: 3) {
            place += 4 + size
            if mark & 0x80 != 0 { break }
        }
        return End(place: place, isKnown: false)
    }

    /// - Note: Source: ID3v2.4 §3.1: seven bits of each byte of the size count.
    private func tagSize(at place: Int64) -> Int64? {
        guard has("ID3", at: place) else { return nil }
        let bytes = (6..<10).compactMap { window[place + $0] }
        guard bytes.count == 4, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return 10 + bytes.reduce(0) { $0 << 7 | Int64($1) }
    }

    /// Returns where the tag that ends at `place` begins; `place` if there is no tag.
    private func tag(before place: Int64, from start: Int64) -> Int64 {
        var next = start
        while let found = window.firstIndex(of: 0x49, from: next, before: place) {
            if tagSize(at: found).map({ found + $0 == place }) ?? false { return found }
            next = found + 1
        }
        return place
    }

    /// - Note: Source: Apple Core Audio Format Specification 1.0: the last chunk may reach to the end.
    private func coreAudio(_ start: Int64) -> End? {
        var place = start + 8
        while place < window.size, !isNext(place, start) {
            guard let size = window.number(at: place + 4, bytes: 8) else { break }
            if size == -1 { return End(place: place + 12, isKnown: false) }
            guard let end = end(of: place + 12, size, least: 0) else { break }
            place = end
        }
        return End(place: place)
    }

    /// - Note: Source: audio(5) of SunOS: where the samples begin, and how many bytes of them there are; all ones
    ///   stand for unknown.
    private func sun(_ start: Int64) -> End? {
        guard let offset = window.number(at: start + 4, bytes: 4),
            let size = window.number(at: start + 8, bytes: 4)
        else { return nil }
        if size == 0xFFFF_FFFF { return End(place: start + offset, isKnown: false) }
        return end(of: start + offset, size, least: 1).map { End(place: $0) }
    }

    /// Walks objects with an identifier of 16 bytes and a size of 8 bytes.
    ///
    /// - Note: Source: Advanced Systems Format 01.20.03 §2.1 and §5: a stream's packets are in
    ///   none. Sony Wave64, whose first object is the whole file.
    private func objects(_ start: Int64) -> End? {
        let isWave = container == "w64"
        let unit: Int64 = isWave ? 8 : 1
        var place = start
        while place < window.size, !isNext(place, start) {
            guard let size = number(at: place + 16, bytes: 8),
                let end = end(of: place, size, least: 24)
            else { return End(place: place, isKnown: isWave || place == start) }
            place = start + (end - start + unit - 1) / unit * unit
        }
        return End(place: place)
    }

    /// - Note: Source: Adobe Flash Video File Format 10.1, annex E: each tag is followed by its length.
    private func flash(_ start: Int64) -> Int64? {
        guard var place = window.number(at: start + 5, bytes: 4).map({ start + $0 + 4 }) else {
            return nil
        }
        while place < window.size {
            guard let type = window[place], [8, 9, 18].contains(type & 0x1F),
                let length = window.number(at: place + 1, bytes: 3)
            else { return place }
            place += 11 + length + 4
        }
        return place
    }

    /// - Note: Source: RFC 3533 §4 and §6: the first pages of a chain's next link are marked as first ones.
    private func ogg(_ start: Int64) -> Int64? {
        var place = start
        var isBehindHeads = false
        while has("OggS", at: place), let flags = window[place + 5],
            let segments = window[place + 26]
        {
            if flags & 2 == 0 { isBehindHeads = true }
            if flags & 2 != 0, isBehindHeads { return place }
            let lengths = (0..<Int64(segments)).map { Int64(window[place + 27 + $0] ?? 0) }
            place += 27 + Int64(segments) + lengths.reduce(0, +)
        }
        return place
    }

    /// - Note: Source: SMPTE ST 377-1 §6.3 and §7.1: keys, lengths, and the pack that begins a file.
    private func exchange(_ start: Int64) -> Int64? {
        var place = start
        while let mark = window[place + 16], !isNext(place, start), has("\u{6}\u{E}+4", at: place) {
            let count = mark < 0x80 ? 0 : Int64(mark & 0x7F)
            guard count <= 8,
                let size = count == 0
                    ? Int64(mark) : window.number(at: place + 17, bytes: count),
                let end = end(of: place + 17 + count, size, least: 0)
            else { return place }
            place = end
        }
        return place
    }

    /// Walks an IVF file: a head of 32 bytes, then pictures, each after its size.
    private func ivf(_ start: Int64) -> Int64? {
        guard var place = number(at: start + 6, bytes: 2).map({ start + $0 }) else {
            return nil
        }
        while place < window.size, place > start, !isNext(place, start) {
            guard let size = number(at: place, bytes: 4) else { break }
            place += 12 + size
        }
        return place
    }
}

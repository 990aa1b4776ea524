internal import TakeupFFmpeg

/// Finds files that were written one after another into one, by their containers' heads.
struct ContainerSeams {
    let window: ByteWindow
    /// FFmpeg's name.
    let container: String

    /// Where the file ends that begins at a place, if another of its kind begins there; nil if none does.
    func next(after place: Int64) -> Int64? {
        if container.contains("mp4") { return movie(place) }
        if container.contains("matroska") { return MatroskaWalk(window).next(after: place) }
        switch container {
        case "wav": return chunk(place, "RIFF", "WAVE")
        case "avi": return chunk(place, "RIFF", "AVI ")
        case "aiff": return chunk(place, "FORM", nil)
        case "caf": return coreAudio(place)
        case "au": return sun(place)
        case "w64", "asf", "asf_o": return objects(place)
        case "flv": return flash(place)
        case "ogg": return ogg(place)
        case "mxf": return exchange(place)
        case "ivf": return ivf(place)
        case "flac": return mark(place, Array("fLaC".utf8) + [0, 0, 0, 34])
        case "nut": return mark(place, Array("nut/multimedia container".utf8) + [0])
        default: return nil
        }
    }

    private func has(_ bytes: [UInt8], at place: Int64) -> Bool {
        bytes.indices.allSatisfy { window[place + Int64($0)] == bytes[$0] }
    }

    private func has(_ text: String, at place: Int64) -> Bool { has(Array(text.utf8), at: place) }

    private func littleEndian(at place: Int64, bytes: Int64) -> Int64? {
        var value: UInt64 = 0
        for offset in (0..<bytes).reversed() {
            guard let byte = window[place + offset] else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int64(exactly: value)
    }

    /// The place behind an element; nil where its size makes no sense.
    private func end(of place: Int64, _ size: Int64?, least: Int64) -> Int64? {
        guard let size, size >= least else { return nil }
        let (end, overflow) = place.addingReportingOverflow(size)
        return overflow || end > window.size ? nil : end
    }

    /// - Note: Source: ISO/IEC 14496-12 §4.3: a file begins with its type.
    private func movie(_ start: Int64) -> Int64? {
        var place = start
        var (hasIndex, hasMedia) = (false, false)
        while let short = window.number(at: place, bytes: 4) {
            if hasIndex, hasMedia, has("ftyp", at: place + 4) { return place }
            if has("moov", at: place + 4) { hasIndex = true }
            if has("mdat", at: place + 4) { hasMedia = true }
            let size = short == 1 ? window.number(at: place + 8, bytes: 8) : short
            guard let end = end(of: place, size, least: 8) else { return nil }
            place = end
        }
        return nil
    }

    /// - Note: Source: Multimedia Programming Interface 1.0 and EA IFF 85: chunks have even lengths; a long AVI
    ///   goes on in a chunk of another form.
    private func chunk(_ start: Int64, _ name: String, _ form: String?) -> Int64? {
        var place = start
        while has(name, at: place) {
            if place > start, form.map({ has($0, at: place + 8) }) ?? true { return place }
            let size =
                name == "RIFF"
                ? littleEndian(at: place + 4, bytes: 4) : window.number(at: place + 4, bytes: 4)
            guard let size, size > 0, size < 0xFFFF_FFFF else { return nil }
            let end = place + 8 + size
            place = size & 1 == 1 && !has(name, at: end) ? end + 1 : end
        }
        return nil
    }

    /// - Note: Source: Apple Core Audio Format Specification 1.0: the last chunk may reach to the end.
    private func coreAudio(_ start: Int64) -> Int64? {
        var place = start + 8
        while place < window.size {
            if has("caff", at: place) { return place }
            guard let size = window.number(at: place + 4, bytes: 8),
                let end = end(of: place + 12, size, least: 0)
            else { return nil }
            place = end
        }
        return nil
    }

    /// - Note: Source: audio(5) of SunOS: where the samples begin, and how many bytes of them there are.
    private func sun(_ start: Int64) -> Int64? {
        guard let head = window.number(at: start + 4, bytes: 4),
            let size = window.number(at: start + 8, bytes: 4),
            let end = end(of: start + head, size, least: 1), has(".snd", at: end)
        else { return nil }
        return end
    }

    /// Objects with a name of 16 bytes and a size of 8, of which the first of the file begins the next one too.
    ///
    /// - Note: Source: Advanced Systems Format 01.20.03 §2.1; Sony Wave64, whose first object is the whole file.
    private func objects(_ start: Int64) -> Int64? {
        let name = (0..<16).compactMap { window[start + $0] }
        let unit: Int64 = container == "w64" ? 8 : 1
        var place = start
        while place < window.size {
            if place > start, has(name, at: place) { return place }
            guard let size = littleEndian(at: place + 16, bytes: 8),
                let end = end(of: place, size, least: 24)
            else { return nil }
            place = start + (end - start + unit - 1) / unit * unit
        }
        return nil
    }

    /// - Note: Source: Adobe Flash Video File Format 10.1, annex E: each tag is followed by its length.
    private func flash(_ start: Int64) -> Int64? {
        guard var place = window.number(at: start + 5, bytes: 4).map({ start + $0 + 4 }) else {
            return nil
        }
        while place < window.size {
            if has([0x46, 0x4C, 0x56, 1], at: place) { return place }
            guard let type = window[place], [8, 9, 18].contains(type & 0x1F),
                let length = window.number(at: place + 1, bytes: 3)
            else { return nil }
            place += 11 + length + 4
        }
        return nil
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
        return nil
    }

    /// - Note: Source: SMPTE ST 377-1 §6.3 and §7.1: keys, lengths, and the pack that begins a file.
    private func exchange(_ start: Int64) -> Int64? {
        let head: [UInt8] = [6, 0x0E, 0x2B, 0x34, 2, 5, 1, 1, 0x0D, 1, 2, 1, 1, 2]
        var place = start
        while let mark = window[place + 16] {
            if place > start, has(head, at: place) { return place }
            let count = mark < 0x80 ? 0 : Int64(mark & 0x7F)
            guard count <= 8,
                let size = count == 0
                    ? Int64(mark) : window.number(at: place + 17, bytes: count),
                let end = end(of: place + 17 + count, size, least: 0)
            else { return nil }
            place = end
        }
        return nil
    }

    /// A head of 32 bytes, then pictures with their sizes before them.
    private func ivf(_ start: Int64) -> Int64? {
        guard var place = littleEndian(at: start + 6, bytes: 2).map({ start + $0 }) else {
            return nil
        }
        while place < window.size, place > start {
            if has("DKIF", at: place) { return place }
            guard let size = littleEndian(at: place, bytes: 4) else { return nil }
            place += 12 + size
        }
        return nil
    }

    /// The next place where some bytes stand that begin each file of a kind that does not tell its length.
    private func mark(_ start: Int64, _ bytes: [UInt8]) -> Int64? {
        var place = start + 1
        while let found = window.firstIndex(of: bytes[0], from: place) {
            if has(bytes, at: found) { return found }
            place = found + 1
        }
        return nil
    }
}

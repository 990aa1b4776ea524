internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Walks a container from element to element to check that the chain reaches the end; skips the
/// content.
enum ContainerWalk {
    /// A fault in the chain of elements.
    enum Fault: Equatable {
        /// The file ends within an element.
        case cut
        /// No element follows at this byte. `missing` is the lost duration, if known.
        case broken(at: Int64, missing: MediaTime = .zero)
        /// Byte ranges without media. The text is the reason, as the end of a sentence after the
        /// ranges. `read` is the number of media bytes beside them; nil for the rest of the file.
        case unreadable([Range<Int64>], String, read: Int64? = nil)
    }

    /// Number of bytes after a fault that are searched for the chain.
    private static let searchBytes: Int64 = 4 * 1024 * 1024

    /// - Returns: nil if the chain is intact or the container has none; meaningless once cancelled.
    static func fault(
        _ source: any ByteSource, _ container: String, _ cancellation: Cancellation? = nil
    ) -> Fault? {
        guard let window = ByteWindow(source, cancellation) else { return nil }
        let unwritten = UnwrittenParts.find(window, container)
        if !unwritten.isEmpty {
            return .unreadable(unwritten, "are all 0: nothing was written there")
        }
        if container.contains("mp4") { return movie(window) }
        if container.contains("matroska") { return MatroskaWalk(window).fault() }
        switch container {
        case "asf": return ASFPackets(window)?.fault()
        case "flv": return flash(window)
        case "gif": return GIFWalk(window).fault()
        case "nut": return NUTWalk(window).fault()
        case "mxf": return KLVWalk(window).fault()
        case "mpeg": return ProgrammePackets(window).isCut ? .cut : nil
        case "mpegts": return TransportPackets.isCut(source) ? .cut : nil
        case "ogg":
            if OggPages.isCut(source, container) { return .cut }
            return OggPages(window).fault()
        case "rm": return RealMediaWalk(window).fault()
        case "voc": return voice(window)
        case "wav", "w64", "aiff", "caf": return SoundChunks(window, container).fault()
        case "aac", "ac3", "eac3", "mp3", "dts", "dv", "mlp", "truehd":
            return RawFrames(window, container)?.fault()
        default: return nil
        }
    }

    /// Checks that every block of a Creative Voice file is whole, and that little follows its end
    /// mark.
    ///
    /// - Note: Source: the file format in Creative Labs' Sound Blaster developer kit: a type and 24 bits of length.
    private static func voice(_ window: ByteWindow) -> Fault? {
        guard var place = window.littleEndian(at: 20, bytes: 2) else { return nil }
        while let type = window[place], type != 0 {
            guard let length = window.littleEndian(at: place + 1, bytes: 3) else { return .cut }
            // A writer that could not seek states no length.
            guard length > 0 else { return nil }
            guard type <= 9 else { return .broken(at: place) }
            place += 4 + length
            if place > window.size { return .cut }
        }
        let rest = window.size - place - 1
        guard rest > UnwrittenParts.padding(window) else { return nil }
        return .unreadable([place + 1..<window.size], "lie behind the mark that ends the sound")
    }

    private static let indexBox: Int64 = 0x6D6F_6F76
    private static let fragmentBox: Int64 = 0x6D6F_6F66
    private static let mediaBox: Int64 = 0x6D64_6174

    /// Checks only the index and fragments of a movie: unreferenced media may be truncated or
    /// followed by anything.
    ///
    /// - Note: Source: ISO/IEC 14496-12 §4.2.
    private static func movie(_ window: ByteWindow) -> Fault? {
        var place: Int64 = 0
        var (hasIndex, isFragmented) = (false, false)
        while let short = window.number(at: place, bytes: 4),
            let type = window.number(at: place + 4, bytes: 4)
        {
            if type == mediaBox, hasIndex, !isFragmented { return nil }
            let long = short == 1 ? window.number(at: place + 8, bytes: 8) : short
            guard let size = long, size >= 8 else { return nil }
            let (end, overflow) = place.addingReportingOverflow(size)
            let isCut = overflow || end > window.size
            if type == fragmentBox { isFragmented = true }
            let counts =
                type == indexBox || isFragmented && (type == fragmentBox || type == mediaBox)
            if isCut { return counts ? .cut : nil }
            if type == indexBox { hasIndex = true }
            place = end
        }
        return nil
    }

    /// - Note: Source: Adobe Flash Video File Format 10.1, annex E: each tag is followed by its length.
    private static func flash(_ window: ByteWindow) -> Fault? {
        guard var place = window.number(at: 5, bytes: 4).map({ $0 + 4 }) else { return .cut }
        while place < window.size {
            guard let type = window[place], let length = window.number(at: place + 1, bytes: 3)
            else { return .cut }
            guard [8, 9, 18].contains(type & 0x1F) else {
                return isTail(place, window) { isTag($0, window) } ? nil : .broken(at: place)
            }
            guard let after = window.number(at: place + 11 + length, bytes: 4) else {
                // Some writers leave out the very last length.
                return place + 11 + length <= window.size ? nil : .cut
            }
            guard after == length + 11 || after == 0 || after == length else {
                return .broken(at: place)
            }
            place += 11 + length + 4
        }
        return nil
    }

    /// Returns whether a tag begins here: its type, a stream number of 0, and its own length after
    /// it.
    private static func isTag(_ place: Int64, _ window: ByteWindow) -> Bool {
        guard let type = window[place], [8, 9, 18].contains(type & 0x1F),
            window.number(at: place + 8, bytes: 3) == 0,
            let length = window.number(at: place + 1, bytes: 3), length > 0
        else { return false }
        return window.number(at: place + 11 + length, bytes: 4) == length + 11
    }

    /// Returns whether the rest is junk after the end, and not a gap followed by more elements.
    static func isTail(_ place: Int64, _ window: ByteWindow, isElement: (Int64) -> Bool) -> Bool {
        let end = min(window.size, place + searchBytes)
        var next = place + 1
        while next < end, window.failure == nil {
            if isElement(next) { return false }
            next += 1
        }
        return end == window.size
    }
}

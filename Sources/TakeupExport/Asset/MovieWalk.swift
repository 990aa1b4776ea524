/// Walks an MP4 or QuickTime movie from box to box, up to the beginning of another movie.
///
/// - Note: Source: ISO/IEC 14496-12 §4.2, §8.7.5 and §8.8; Apple QuickTime File Format: a movie
///   need not begin with its type.
struct MovieWalk {
    /// Box types that may begin a movie.
    static let openings = ["ftyp", "wide", "mdat", "moov", "free", "skip", "pnot"]
    /// Highest number of boxes before a movie's index; the search ends after them.
    private static let mostBefore = 64
    /// Size limit of a file type box, in bytes: a few brands of four bytes each.
    private static let mostOfType: Int64 = 1024
    /// Size limit of an index without samples, in bytes; a copy of this index may be repeated.
    private static let mostOfHead: Int64 = 1024 * 1024

    private struct Box {
        let place: Int64
        let type: String
        let body: Int64
        let end: Int64
    }

    /// The numbering and time of a fragment.
    private struct Fragment {
        var number: Int64?
        var track: Int64?
        var time: Int64?
    }

    let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    /// - Returns: nil if no box lies here that ends within the source.
    private func box(at place: Int64) -> Box? {
        guard let short = window.number(at: place, bytes: 4),
            let name = window.number(at: place + 4, bytes: 4),
            let size = short == 1 ? window.number(at: place + 8, bytes: 8) : short
        else { return nil }
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: name >> (24 - 8 * $0)) }
        let type = String(decoding: letters, as: UTF8.self)
        let (end, overflow) = place.addingReportingOverflow(size)
        if size == 0, type == "mdat" {
            return Box(place: place, type: type, body: place + 8, end: window.size)
        }
        guard size >= 8, !overflow, end <= window.size else { return nil }
        return Box(place: place, type: type, body: place + (short == 1 ? 16 : 8), end: end)
    }

    private func boxes(in box: Box, _ types: Set<String>) -> [Box] {
        var found: [Box] = []
        var place = box.body
        while place < box.end, let next = self.box(at: place), next.end <= box.end {
            if types.contains(next.type) { found.append(next) }
            place = next.end
        }
        return found
    }

    /// Returns the first offset after the movie that begins at `start`: another movie, or bytes
    /// that are no box.
    func end(after start: Int64) -> Int64? {
        var place = start
        var (index, hasMedia): (Box?, Bool) = (nil, false)
        var times: [Int64: Int64] = [:]
        var newest: Fragment?
        while let box = box(at: place) {
            if let index, hasMedia, begins(at: place, isFragmented: newest != nil) {
                guard let next = repeated(index, at: box, newest, times) else { return place }
                place = next
                continue
            }
            switch box.type {
            case "moov" where index == nil: index = box
            case "mdat": hasMedia = true
            case "moof":
                let fragment = fragment(box)
                newest = fragment
                if let track = fragment.track, let time = fragment.time { times[track] = time }
            default: break
            }
            place = box.end
        }
        return index != nil && hasMedia ? place : nil
    }

    /// Returns whether a movie begins here: with its file type, or with media that its own index
    /// refers to.
    ///
    /// A fragmented movie before this place may continue with media that no index knows.
    func begins(at start: Int64, isFragmented: Bool = false) -> Bool {
        guard let first = box(at: start), Self.openings.contains(first.type) else { return false }
        if first.type == "ftyp" { return first.end - start <= Self.mostOfType }
        if isFragmented { return false }
        var (index, media): (Box?, [Box]) = (nil, [])
        var next: Box? = first
        for _ in 0..<Self.mostBefore {
            guard let box = next, !["ftyp", "moof"].contains(box.type) else { break }
            if box.type == "moov" {
                if index != nil { break }
                index = box
            }
            if box.type == "mdat" { media.append(box) }
            if index != nil, !media.isEmpty { break }
            next = self.box(at: box.end)
        }
        guard let index, let chunk = firstChunk(index) else { return false }
        return media.contains { $0.body <= start + chunk && start + chunk < $0.end }
    }

    /// Returns the offset of a movie's first chunk, relative to the movie's own beginning.
    private func firstChunk(_ index: Box) -> Int64? {
        var tables = [index]
        for types: Set<String> in [["trak"], ["mdia"], ["minf"], ["stbl"], ["stco", "co64"]] {
            tables = tables.flatMap { boxes(in: $0, types) }
        }
        return tables.compactMap {
            guard let count = window.number(at: $0.body + 4, bytes: 4), count > 0 else {
                return nil
            }
            return window.number(at: $0.body + 8, bytes: $0.type == "stco" ? 4 : 8)
        }.filter { (0..<window.size).contains($0) }.min()
    }

    /// Returns the offset after a repeated head whose next fragments continue the movie; nil if
    /// another movie begins.
    private func repeated(
        _ index: Box, at start: Box, _ newest: Fragment?, _ times: [Int64: Int64]
    ) -> Int64? {
        guard let newest, let copy = box(at: start.end), copy.type == "moov" else { return nil }
        let length = copy.end - copy.place
        guard length == index.end - index.place, length < Self.mostOfHead else { return nil }
        let bytes = (0..<length).map { window[index.place + $0] ?? 0 }
        guard window.has(bytes, at: copy.place) else { return nil }
        var next = box(at: copy.end)
        while let box = next, box.type != "moof" {
            guard !["mdat", "ftyp", "moov"].contains(box.type) else { return nil }
            next = self.box(at: box.end)
        }
        guard let next else { return nil }
        let fragment = fragment(next)
        if let track = fragment.track, let time = fragment.time, let last = times[track] {
            return time > last ? copy.end : nil
        }
        guard let number = fragment.number, let last = newest.number else { return nil }
        return number > last ? copy.end : nil
    }

    private func fragment(_ box: Box) -> Fragment {
        var fragment = Fragment()
        fragment.number = boxes(in: box, ["mfhd"]).first.flatMap {
            window.number(at: $0.body + 4, bytes: 4)
        }
        guard let track = boxes(in: box, ["traf"]).first else { return fragment }
        for part in boxes(in: track, ["tfhd", "tfdt"]) {
            if part.type == "tfhd" {
                fragment.track = window.number(at: part.body + 4, bytes: 4)
            } else {
                let isLong = window[part.body] == 1
                fragment.time = window.number(at: part.body + 4, bytes: isLong ? 8 : 4)
            }
        }
        return fragment
    }
}

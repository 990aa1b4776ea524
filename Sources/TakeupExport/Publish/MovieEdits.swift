internal import TakeupTimeline

/// Shortens the shown duration of a movie, in the bytes of its index.
///
/// The change covers the edit lists of pictures and their companion tracks, and the durations in
/// the headers. This type performs no I/O. FFmpeg's muxer writes edit lists that last until the end
/// of the last packet.
///
/// - Note: Source: ISO/IEC 14496-12 §8.2.2, §8.3.2, §8.4.3, §8.6.6.
struct MovieEdits {
    /// A box: its type and the range of its content.
    private struct Box {
        let name: String
        let body: Range<Int>
    }

    /// A duration field: four bytes in version 0 of a box, eight in version 1.
    private struct Field {
        let place: Int
        let width: Int
    }

    /// The `moov` box, including its header.
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Shortens every track except sound and subtitles, so that it ends at the given time.
    ///
    /// - Returns: `false` if the boxes are invalid; the bytes are then unusable.
    mutating func end(at end: MediaTime) -> Bool {
        guard let movie = boxes(in: bytes.indices).first, movie.name == "moov",
            let header = child("mvhd", of: movie), let scale = timescale(header)
        else { return false }
        let nearest = end.ticks(of: 1, over: scale)
        // Do not exceed the end even by a tick, or the next picture would be shown.
        let limit =
            MediaTime(value: nearest, timescale: scale) > end ? nearest - 1 : nearest
        var longest: Int64 = 0
        for track in boxes(in: movie.body) where track.name == "trak" {
            guard let length = shorten(track, to: limit) else { return false }
            longest = max(longest, length)
        }
        guard limit > 0, longest > 0 else { return false }
        put(longest, lengthField(header, v0: 16, v1: 24))
        return true
    }

    /// - Returns: The track's new duration; nil if a box is missing.
    private mutating func shorten(_ track: Box, to limit: Int64) -> Int64? {
        guard let header = child("tkhd", of: track), let media = child("mdia", of: track),
            let handler = child("hdlr", of: media), handler.body.count >= 12
        else { return nil }
        let field = lengthField(header, v0: 20, v1: 28)
        let length = number(field)
        let kind = handler.body.lowerBound + 8
        let name = String(decoding: bytes[kind..<kind + 4], as: UTF8.self)
        guard !["soun", "sbtl"].contains(name), length > limit else { return length }
        if let list = child("edts", of: track).flatMap({ child("elst", of: $0) }) {
            guard shorten(edits: list, to: limit) else { return nil }
        }
        put(limit, field)
        return limit
    }

    private mutating func shorten(edits list: Box, to limit: Int64) -> Bool {
        guard list.body.count >= 8 else { return false }
        let width = bytes[list.body.lowerBound] == 0 ? 4 : 8
        let count = Int(number(Field(place: list.body.lowerBound + 4, width: 4)))
        guard list.body.count >= 8 + count * (2 * width + 4) else { return false }
        var shown: Int64 = 0
        for place in 0..<count {
            let start = list.body.lowerBound + 8 + place * (2 * width + 4)
            let field = Field(place: start, width: width)
            let length = min(number(field), limit - shown)
            // An edit with duration 0 would mean all of the media.
            guard length > 0 else { return false }
            put(length, field)
            shown += length
        }
        return count > 0
    }

    private func timescale(_ header: Box) -> Int64? {
        let field = Field(place: lengthField(header, v0: 12, v1: 20).place, width: 4)
        guard header.body.count >= 20 else { return nil }
        let scale = number(field)
        return scale > 0 ? scale : nil
    }

    /// Returns the duration field of a header: at offset `v0` of the content in version 0, at `v1`
    /// in version 1 with 64-bit times.
    private func lengthField(_ box: Box, v0: Int, v1: Int) -> Field {
        let isLong = !box.body.isEmpty && bytes[box.body.lowerBound] == 1
        return Field(place: box.body.lowerBound + (isLong ? v1 : v0), width: isLong ? 8 : 4)
    }

    private func child(_ name: String, of box: Box) -> Box? {
        boxes(in: box.body).first { $0.name == name }
    }

    private func boxes(in range: Range<Int>) -> [Box] {
        var found: [Box] = []
        var place = range.lowerBound
        while place + 8 <= range.upperBound {
            var size = number(Field(place: place, width: 4))
            var header = 8
            if size == 1, place + 16 <= range.upperBound {
                size = number(Field(place: place + 8, width: 8))
                header = 16
            }
            guard size >= header, size <= range.upperBound - place else { break }
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            found.append(Box(name: name, body: place + header..<place + Int(size)))
            place += Int(size)
        }
        return found
    }

    /// Reads a field; 0 beyond the end of the bytes.
    private func number(_ field: Field) -> Int64 {
        guard field.place + field.width <= bytes.count else { return 0 }
        return bytes[field.place..<field.place + field.width].reduce(0) { $0 << 8 | Int64($1) }
    }

    private mutating func put(_ value: Int64, _ field: Field) {
        guard field.place + field.width <= bytes.count else { return }
        for offset in 0..<field.width {
            bytes[field.place + offset] = UInt8(
                truncatingIfNeeded: value >> (8 * Int64(field.width - 1 - offset)))
        }
    }
}

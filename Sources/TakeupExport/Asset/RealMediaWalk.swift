/// Walks a RealMedia file from chunk to chunk, and the media in it from packet to packet.
///
/// - Note: Source: RealMedia File Format (Helix): a chunk has a name and a length; a packet has a
///   version, a length and the number of its stream.
struct RealMediaWalk {
    private static let mark = Array(".RMF".utf8)
    /// Names of chunks that may follow the media.
    private static let names = ["INDX", "DATA", "CONT", "RMMD", "RMJE", "MDPR", "PROP", ".RMF"]
    /// Upper limit of stream numbers; files have a few.
    private static let mostStreams = 64
    /// Lengths that writers store if the real one is unknown.
    private static let unknown: Set<Int64> = [0, 0x7FFF_FFFF, 0xFFFF_FFFF]

    /// FFmpeg 5.1 states ten bytes too many, and writes eight zeros behind the last packet.
    private static let slack: Int64 = 64

    private let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    func fault() -> ContainerWalk.Fault? { walk(from: 0).fault }

    /// Returns where the file that begins at an offset ends; nil if it is cut or damaged.
    func end(from start: Int64) -> Int64? {
        let (fault, end) = walk(from: start)
        return fault == nil ? end : nil
    }

    private func walk(from start: Int64) -> (fault: ContainerWalk.Fault?, end: Int64) {
        guard window.has(Self.mark, at: start) else { return (nil, start) }
        var place = start
        var hasMedia = false
        while isChunk(place) || !hasMedia && place < window.size {
            guard place == start || !window.has(Self.mark, at: place),
                let size = window.number(at: place + 4, bytes: 4)
            else { break }
            if window.has(Array("DATA".utf8), at: place) {
                let (fault, end) = media(place, size)
                guard fault == nil else { return (fault, end) }
                (hasMedia, place) = (true, end)
            } else {
                guard size >= 8 else { break }
                place += size
            }
        }
        // An index that is cut off holds no media.
        return (hasMedia ? nil : .cut, min(place, window.size))
    }

    private func isChunk(_ place: Int64) -> Bool {
        Self.names.contains { window.has(Array($0.utf8), at: place) }
    }

    private func media(
        _ start: Int64, _ size: Int64
    ) -> (fault: ContainerWalk.Fault?, end: Int64) {
        let isKnown = !Self.unknown.contains(size) && endsThere(start, size)
        let stated = isKnown ? start + size : window.size
        let end = min(stated, window.size)
        var place = start + 18
        while place < end, !isEnd(place, end), isKnown || !isChunk(place) {
            guard let length = window.number(at: place + 2, bytes: 2), window[place + 11] != nil
            else { return (.cut, place) }
            guard let version = window.number(at: place, bytes: 2), version <= 1, length >= 12,
                let stream = window.number(at: place + 4, bytes: 2), stream < Self.mostStreams
            else { return (.broken(at: place), place) }
            guard place + length <= window.size else { return (.cut, place) }
            guard place + length <= end else { return (.broken(at: place), place) }
            place += length
        }
        return (stated > window.size + Self.slack ? .cut : nil, place)
    }

    /// Returns whether no further packet follows where a stated length ends.
    private func endsThere(_ start: Int64, _ size: Int64) -> Bool {
        let end = start + size
        guard end < window.size else { return true }
        var place = start + 18
        while place < end, let length = packet(at: place) { place += length }
        return place < end || packet(at: place) == nil
    }

    /// Returns the length of the packet at an offset; nil if there is none.
    private func packet(at place: Int64) -> Int64? {
        guard let version = window.number(at: place, bytes: 2), version <= 1,
            let length = window.number(at: place + 2, bytes: 2), length >= 12,
            let stream = window.number(at: place + 4, bytes: 2), stream < Self.mostStreams
        else { return nil }
        return length
    }

    /// Returns whether the zeros begin that FFmpeg writes behind the last packet.
    private func isEnd(_ place: Int64, _ end: Int64) -> Bool {
        end - place <= Self.slack && window.number(at: place, bytes: 4) == 0
    }
}

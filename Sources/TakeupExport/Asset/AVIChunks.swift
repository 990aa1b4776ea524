internal import TakeupFFmpeg
internal import TakeupTimeline

/// Follows the chunks of an AVI file and counts those of each stream.
///
/// - Note: Source: Multimedia Programming Interface 1.0, AVI RIFF files, and OpenDML 1.02 §2 and §3: a name, a size and
///   as many bytes, padded to an even number; a file above 1 GB has several RIFF chunks, which an index names.
struct AVIChunks: Equatable {
    /// One stream, as its header declares it and as its chunks hold it.
    struct Stream: Equatable {
        var isVideo: Bool
        /// Length of one unit, in seconds; nil when the header does not say.
        var unit: Ratio?
        /// Units that the header declares; 0 when it does not.
        var declared: Int64
        /// Bytes of one unit of sound; 0 where each chunk is one.
        var unitBytes: Int64
        /// Chunks that are there; an empty one repeats the picture before.
        var chunks: Int64 = 0
        var bytes: Int64 = 0

        /// Units that are there.
        var found: Int64 { unitBytes > 0 ? bytes / unitBytes : chunks }
    }

    private(set) var streams: [Stream] = []
    /// Where something else than a chunk stands; nil where each chunk follows the one before it.
    private(set) var broken: Int64?
    /// Bytes between the places where the chain breaks and where it goes on.
    private(set) var brokenBytes: Int64 = 0
    /// Bytes of chunks of media.
    private(set) var mediaBytes: Int64 = 0
    /// Whether a list of media goes on behind the end of the file, or lies there.
    private(set) var isCut = false
    /// Whether it is an OpenDML file, whose later parts may be gone without a trace but the header's count.
    private(set) var hasParts = false

    init(_ window: ByteWindow) {
        var walk = Walk(window: window)
        walk.lists(0..<window.size, &self)
    }
}

extension AVIChunks {
    private static let headerBytes: Int64 = 8
    /// What FFmpeg puts where it cannot go back to tell the length.
    private static let unknownLength: Int64 = 1 << 30
    /// How far behind a fault, and the zeros there, the chain is looked for again.
    private static let searchBytes: Int64 = 64 << 20

    private struct Walk {
        let window: ByteWindow

        /// Goes through the lists of a file or of a RIFF chunk.
        mutating func lists(_ range: Range<Int64>, _ found: inout AVIChunks) {
            var place = range.lowerBound
            while let name = name(at: place), let size = size(at: place) {
                let isList = name == "RIFF" || name == "LIST"
                let kind = isList ? self.name(at: place + headerBytes) : nil
                // A recorder that stopped, or wrote to a pipe, has not told how long its lists are.
                let isOpen = [0, 0xFFFF_FFFF].contains(size) && (name == "RIFF" || kind == "movi")
                let told = place + headerBytes + size
                if told > window.size, kind == "movi", !isOpen { found.isCut = true }
                let end = isOpen ? window.size : min(told, window.size)
                let inside = place + headerBytes + 4..<max(place + headerBytes + 4, end)
                switch (name, kind) {
                case ("RIFF", _):
                    place = inside.lowerBound
                    continue
                case ("LIST", "hdrl"), ("LIST", "strl"), ("LIST", "odml"):
                    if kind == "odml" { found.hasParts = true }
                    place = inside.lowerBound
                    continue
                case ("LIST", "movi"): media(inside, &found)
                case ("strh", _): header(place + headerBytes, size, &found)
                case ("indx", _): index(place + headerBytes, size, &found)
                default: break
                }
                if isOpen { return }
                place = next(place, size)
            }
        }

        /// Goes through the chunks of media in one list.
        private mutating func media(_ range: Range<Int64>, _ found: inout AVIChunks) {
            var place = range.lowerBound
            while place + headerBytes <= range.upperBound {
                guard let name = name(at: place), let size = size(at: place) else {
                    found.broken = found.broken ?? place
                    let resumed = resumption(after: place, before: range.upperBound)
                    found.brokenBytes += (resumed ?? range.upperBound) - place
                    guard let resumed else { return }
                    place = resumed
                    continue
                }
                if name == "LIST" {
                    place += 12
                    continue
                }
                if let stream = stream(name), found.streams.indices.contains(stream) {
                    let there = min(size, range.upperBound - place - headerBytes)
                    // A chunk that is cut is not there.
                    if there == size { found.streams[stream].chunks += 1 }
                    found.streams[stream].bytes += there
                    found.mediaBytes += there
                }
                place = next(place, size)
            }
        }

        /// Where two chunks of media follow one another again.
        private func resumption(after place: Int64, before end: Int64) -> Int64? {
            var place = window.firstNonZero(from: place + 1)
            let end = min(end, place.addingClamped(searchBytes))
            while place + headerBytes <= end, window.failure == nil {
                if let name = name(at: place), stream(name) != nil, let size = size(at: place),
                    size < end - place
                {
                    let next = next(place, size)
                    // Some writers fill up with zeros to a sector's border.
                    if next >= end || window[next] == 0 || self.name(at: next) != nil {
                        return place
                    }
                }
                place += 1
            }
            return nil
        }

        /// Where the chunk behind stands; some writers leave out the padding.
        private func next(_ place: Int64, _ size: Int64) -> Int64 {
            let bare = place + headerBytes + size
            let padded = bare + (size & 1)
            let isBare = padded + headerBytes <= window.size && name(at: padded) == nil
            return isBare && name(at: bare) != nil ? bare : padded
        }

        /// The stream of a chunk of media, such as `01wb`; nil of others, such as the index `ix01`.
        private func stream(_ name: String) -> Int? {
            let kinds: Set<Substring> = ["dc", "db", "wb", "pc", "tx", "sb", "iv", "__"]
            return kinds.contains(name.suffix(2)) ? Int(name.prefix(2), radix: 16) : nil
        }

        /// Reads a stream's header: kind, scale and rate, length, and the size of a unit.
        private func header(_ place: Int64, _ size: Int64, _ found: inout AVIChunks) {
            let number = { window.littleEndian(at: place + $0, bytes: 4) ?? 0 }
            let (scale, rate) = (number(20), number(24))
            let isTold = size >= 48 && scale > 0 && rate > 0
            let length = number(32)
            found.streams.append(
                Stream(
                    isVideo: name(at: place) == "vids",
                    unit: isTold ? Ratio(scale, rate) : nil,
                    declared: isTold && length < unknownLength ? length : 0,
                    unitBytes: name(at: place) == "auds" ? number(44) : 0))
        }

        /// Looks whether the parts that an index of indexes names are all within the file.
        private func index(_ place: Int64, _ size: Int64, _ found: inout AVIChunks) {
            guard window[place + 3] == 0, window.littleEndian(at: place, bytes: 2) == 4,
                let entries = window.littleEndian(at: place + 4, bytes: 4)
            else { return }
            for entry in 0..<min(entries, max(0, size - 24) / 16) {
                let part = place + 24 + 16 * entry
                guard let offset = window.littleEndian(at: part, bytes: 8) else { return }
                if offset >= window.size { found.isCut = true }
            }
        }

        /// A chunk's name: four characters that can be printed.
        private func name(at place: Int64) -> String? {
            var bytes: [UInt8] = []
            for index in 0..<Int64(4) {
                guard let byte = window[place + index], (0x20..<0x7F).contains(byte) else {
                    return nil
                }
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        private func size(at place: Int64) -> Int64? {
            window.littleEndian(at: place + 4, bytes: 4)
        }
    }
}

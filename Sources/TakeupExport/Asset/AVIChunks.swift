internal import TakeupFFmpeg
internal import TakeupTimeline

/// Walks the chunks of an AVI file and counts those of each stream.
///
/// - Note: Source: Multimedia Programming Interface 1.0, AVI RIFF files, and OpenDML 1.02 §2 and
///   §3: a name, a size and as many bytes, padded to an even number; a file above 1 GB has several
///   RIFF chunks, which an index names.
struct AVIChunks: Equatable {
    /// One stream: the facts in its header and the chunks that exist.
    struct Stream: Equatable {
        var isVideo: Bool
        /// Length of one unit, in seconds; nil if the header does not state it.
        var unit: Ratio?
        /// Number of units that the header declares; 0 if unknown.
        var declared: Int64
        /// Bytes per unit of sound; 0 if each chunk is one unit.
        var unitBytes: Int64
        /// Number of existing chunks, without palette changes; an empty chunk repeats the previous
        /// picture.
        var chunks: Int64 = 0
        /// Number of empty chunks; demuxers make no packet of them.
        var repeats: Int64 = 0
        var bytes: Int64 = 0

        /// Number of existing units.
        var found: Int64 { unitBytes > 0 ? bytes / unitBytes : chunks }
    }

    private(set) var streams: [Stream] = []
    /// Offset at which no chunk follows the previous one; nil if the chain is intact.
    private(set) var broken: Int64?
    /// Bytes between the breaks of the chain and the places where it resumes.
    private(set) var brokenBytes: Int64 = 0
    /// Bytes in media chunks.
    private(set) var mediaBytes: Int64 = 0
    /// Whether a media list extends beyond the end of the file, or starts at the end.
    private(set) var isCut = false
    /// Whether this is an OpenDML file; lost later parts then show only in the header's count.
    private(set) var hasParts = false

    init(_ window: ByteWindow) {
        var walk = Walk(window: window)
        walk.lists(0..<window.size, &self)
    }
}

extension AVIChunks {
    private static let headerBytes: Int64 = 8
    /// The length that FFmpeg writes if it cannot seek back to store the real one.
    private static let unknownLength: Int64 = 1 << 30
    /// How many bytes after a fault (and after zeros behind the fault) are searched for the chain.
    private static let searchBytes: Int64 = 64 << 20
    /// Highest number of streams; FFmpeg accepts no more.
    private static let mostStreams = 1000

    /// Chunk names as big-endian numbers, because a file may have millions of chunks.
    private enum Name {
        static let riff = number("RIFF"), list = number("LIST"), media = number("movi")
        static let headers = number("hdrl"), stream = number("strl"), parts = number("odml")
        static let header = number("strh"), index = number("indx")
        static let pictures = number("vids"), sound = number("auds")
        /// Name suffixes after a stream's two digits.
        static let palette = number("pc"), streamIndex = number("ix")

        private static func number(_ name: String) -> Int64 {
            name.utf8.reduce(0) { $0 << 8 | Int64($1) }
        }
    }

    private struct Walk {
        let window: ByteWindow
        /// Whether a media list has been seen; later stream declarations are ignored.
        private var hasMedia = false

        init(window: ByteWindow) {
            self.window = window
        }

        /// Walks the lists of a file or of a RIFF chunk.
        mutating func lists(_ range: Range<Int64>, _ found: inout AVIChunks) {
            var place = range.lowerBound
            while let name = name(at: place), let size = size(at: place) {
                let isList = name == Name.riff || name == Name.list
                let kind = isList ? self.name(at: place + headerBytes) : nil
                // A recorder that stopped early or wrote to a pipe has not stored the length of its
                // lists.
                let isOpen =
                    (size == 0 || size == 0xFFFF_FFFF)
                    && (name == Name.riff || kind == Name.media)
                let told = place + headerBytes + size
                if told > window.size, kind == Name.media, !isOpen { found.isCut = true }
                let end = isOpen ? window.size : min(told, window.size)
                let inside = place + headerBytes + 4..<max(place + headerBytes + 4, end)
                switch (name, kind) {
                case (Name.riff, _):
                    place = inside.lowerBound
                    continue
                case (Name.list, Name.headers), (Name.list, Name.stream), (Name.list, Name.parts):
                    if kind == Name.parts { found.hasParts = true }
                    place = inside.lowerBound
                    continue
                case (Name.list, Name.media):
                    hasMedia = true
                    media(inside, &found)
                case (Name.header, _): header(place + headerBytes, size, &found)
                case (Name.index, _): index(place + headerBytes, size, &found)
                default: break
                }
                if isOpen { return }
                place = next(place, size)
            }
        }

        /// Walks the media chunks in one list.
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
                if name == Name.list {
                    place += 12
                    continue
                }
                if let stream = stream(name), found.streams.indices.contains(stream) {
                    let there = min(size, range.upperBound - place - headerBytes)
                    // A truncated chunk does not count.
                    if there == size, name & 0xFFFF != Name.palette {
                        found.streams[stream].chunks += 1
                        if size == 0 { found.streams[stream].repeats += 1 }
                    }
                    found.streams[stream].bytes += there
                    found.mediaBytes += there
                }
                place = next(place, size)
            }
        }

        /// Returns where two media chunks follow one another again.
        private func resumption(after place: Int64, before end: Int64) -> Int64? {
            var place = window.firstNonZero(from: place + 1)
            let end = min(end, place.addingClamped(searchBytes))
            while place + headerBytes <= end, window.failure == nil {
                if let name = name(at: place), stream(name) != nil, let size = size(at: place),
                    size < end - place
                {
                    let next = next(place, size)
                    // Some writers pad with zeros to a sector boundary.
                    if next >= end || window[next] == 0 || self.name(at: next) != nil {
                        return place
                    }
                }
                place += 1
            }
            return nil
        }

        /// Returns the offset of the next chunk; some writers leave out the padding.
        private func next(_ place: Int64, _ size: Int64) -> Int64 {
            let bare = place + headerBytes + size
            let padded = bare + (size & 1)
            let isBare = padded + headerBytes <= window.size && name(at: padded) == nil
            return isBare && name(at: bare) != nil ? bare : padded
        }

        /// Returns the stream of a media chunk, for example `01wb`; nil for others, for example the
        /// index `ix01`.
        ///
        /// - Note: Source: FFmpeg 5.1, `avi_sync`: two decimal digits, and any two characters
        ///   behind them.
        private func stream(_ name: Int64) -> Int? {
            let (tens, ones) = (Int(name >> 24) - 0x30, Int(name >> 16 & 0xFF) - 0x30)
            guard (0...9).contains(tens), (0...9).contains(ones),
                name & 0xFFFF != Name.streamIndex
            else { return nil }
            return tens * 10 + ones
        }

        /// Reads a stream's header: kind, scale and rate, length, unit size.
        private func header(_ place: Int64, _ size: Int64, _ found: inout AVIChunks) {
            guard !hasMedia, found.streams.count < mostStreams else { return }
            let number = { window.littleEndian(at: place + $0, bytes: 4) ?? 0 }
            let (scale, rate) = (number(20), number(24))
            let isTold = size >= 48 && scale > 0 && rate > 0
            let length = number(32)
            found.streams.append(
                Stream(
                    isVideo: name(at: place) == Name.pictures,
                    unit: isTold ? Ratio(scale, rate) : nil,
                    declared: isTold && length < unknownLength ? length : 0,
                    unitBytes: name(at: place) == Name.sound ? number(44) : 0))
        }

        /// Checks whether all parts named in an index of indexes lie within the file.
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

        /// Returns a chunk's name: four printable characters.
        private func name(at place: Int64) -> Int64? {
            guard let name = window.number(at: place, bytes: 4) else { return nil }
            for shift: Int64 in [0, 8, 16, 24] {
                guard (0x20..<0x7F).contains(name >> shift & 0xFF) else { return nil }
            }
            return name
        }

        private func size(at place: Int64) -> Int64? {
            window.littleEndian(at: place + 4, bytes: 4)
        }
    }
}

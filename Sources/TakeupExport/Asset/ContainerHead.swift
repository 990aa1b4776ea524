/// The first bytes of a container format's files, used to find one file behind another.
struct ContainerHead {
    /// Bytes at a certain offset in every file of a kind.
    private struct Mark {
        let offset: Int64
        let bytes: [UInt8]

        init(_ text: String, at offset: Int64 = 0, then more: [UInt8] = []) {
            (self.offset, bytes) = (offset, Array(text.utf8) + more)
        }
    }

    private static let exchange: [UInt8] = [6, 0x0E, 0x2B, 0x34]

    let window: ByteWindow
    private let isMovie: Bool
    /// The kinds of file heads, each with the bytes that all of its files share.
    private let kinds: [[Mark]]

    /// - Parameters:
    ///   - window: The source.
    ///   - container: FFmpeg's name of the container.
    init(_ window: ByteWindow, container: String) {
        self.window = window
        isMovie = container.contains("mp4")
        kinds = Self.kinds(container)
    }

    /// Returns the container of a source that cannot be opened: MXF or MP4, because FFmpeg reads
    /// their index from the end.
    static func unopened(_ window: ByteWindow) -> String {
        window.has(exchange, at: 0) ? "mxf" : "mp4"
    }

    /// - Note: Source: the documents that `ContainerSeams` names; ITU-R BS.2088 for long WAV.
    private static func kinds(_ container: String) -> [[Mark]] {
        if container.contains("mp4") { return MovieWalk.openings.map { [Mark($0, at: 4)] } }
        if container.contains("matroska") { return [[Mark("", then: [0x1A, 0x45, 0xDF, 0xA3])]] }
        switch container {
        case "wav": return ["RIFF", "RF64", "BW64"].map { [Mark($0), Mark("WAVE", at: 8)] }
        case "avi": return [[Mark("RIFF"), Mark("AVI ", at: 8)]]
        case "aiff": return ["AIFF", "AIFC"].map { [Mark("FORM"), Mark($0, at: 8)] }
        case "caf": return [[Mark("caff", then: [0, 1])]]
        case "au": return [[Mark(".snd", then: [0, 0])]]
        case "w64": return [[Mark("riff", then: [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6])]]
        case "asf", "asf_o": return [[Mark("0&", then: [0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])]]
        case "flv": return [[Mark("FLV", then: [1])]]
        case "ogg": return [[Mark("OggS", then: [0, 2])], [Mark("OggS", then: [0, 6])]]
        case "mxf":
            return [[Mark("", then: exchange + [2, 5, 1, 1, 0x0D, 1, 2, 1, 1, 2])]]
        case "ivf": return [[Mark("DKIF", then: [0, 0, 32, 0])]]
        case "flac": return [[Mark("fLaC", then: [0, 0, 0, 34])]]
        case "nut": return [[Mark("nut/multimedia container", then: [0])]]
        default: return []
        }
    }

    /// Returns whether a file begins at an offset.
    func stands(at place: Int64) -> Bool {
        kinds.contains { stands($0, at: place) }
    }

    private func stands(_ marks: [Mark], at place: Int64) -> Bool {
        place >= 0 && marks.allSatisfy { window.has($0.bytes, at: place + $0.offset) }
            && (!isMovie || MovieWalk(window).begins(at: place))
    }

    /// Returns where the next file begins.
    ///
    /// - Parameters:
    ///   - place: The first offset to consider.
    ///   - limit: The offset before which the file must begin.
    /// - Returns: nil if no file begins in this range.
    func next(from place: Int64, before limit: Int64) -> Int64? {
        if stands(at: place) { return place }
        var found: Int64?
        for marks in kinds {
            guard let first = marks.first else { continue }
            var next = place
            while let mark = window.firstIndex(
                of: first.bytes[0], from: next + first.offset,
                before: (found ?? limit) + first.offset)
            {
                next = mark - first.offset
                if stands(marks, at: next) {
                    found = next
                    break
                }
                next += 1
            }
        }
        return found
    }
}

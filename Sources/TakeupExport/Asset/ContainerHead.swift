internal import TakeupTimeline

/// The first bytes of a container format's files, used to find one file behind another.
struct ContainerHead {
    /// Bytes at a certain offset in every file of a kind.
    private struct Mark {
        let offset: Int64
        let bytes: [UInt8]

        init(_ text: String = "", at offset: Int64 = 0, then more: [UInt8] = []) {
            (self.offset, bytes) = (offset, Array(text.utf8) + more)
        }
    }

    /// Number of bytes that are searched first for the next file.
    private static let leastSearch: Int64 = 4096

    private static let exchange: [UInt8] = [6, 0x0E, 0x2B, 0x34]

    let window: ByteWindow
    private let isMovie: Bool
    private let isFlash: Bool
    /// The kinds of file heads, each with the bytes that all of its files share.
    private let kinds: [[Mark]]

    /// - Parameters:
    ///   - window: The source.
    ///   - container: FFmpeg's name of the container.
    init(_ window: ByteWindow, container: String) {
        self.window = window
        isMovie = container.contains("mp4")
        isFlash = container == "swf"
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
        default: return shortKinds(container)
        }
    }

    /// - Note: Source: the documents that `FileLength` names; RFC 4867 §5 and FFmpeg 5.1, `wtvdec.c`.
    private static func shortKinds(_ container: String) -> [[Mark]] {
        switch container {
        case "amr": ["#!AMR\n", "#!AMR-WB\n"].map { [Mark($0)] }
        case "ape": [[Mark("MAC "), Mark(at: 5, then: [0x0F])]]
        case "apng": [[Mark(then: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])]]
        case "dsf": [[Mark("DSD ", then: [28, 0, 0, 0, 0, 0, 0, 0])]]
        case "gif": ["GIF87a", "GIF89a"].map { [Mark($0)] }
        case "rm": [[Mark(".RMF", then: [0, 0, 0])]]
        case "swf": [[Mark("FWS")]]
        case "tta": [[Mark("TTA1", then: [1, 0])]]
        case "voc": [[Mark("Creative Voice File", then: [0x1A])]]
        case "wtv": [[Mark(then: [0xB7, 0xD8, 0x00, 0x20, 0x37, 0x49, 0xDA, 0x11])]]
        // Only a file's first block has an index of 0.
        case "wv": [[Mark("wvpk"), Mark(at: 16, then: [0, 0, 0, 0])]]
        default: []
        }
    }

    /// Returns whether a file begins at an offset.
    func stands(at place: Int64) -> Bool {
        kinds.contains { stands($0, at: place) }
    }

    private func stands(_ marks: [Mark], at place: Int64) -> Bool {
        place >= 0 && marks.allSatisfy { window.has($0.bytes, at: place + $0.offset) }
            && (!isMovie || MovieWalk(window).begins(at: place))
            && (!isFlash || FileLength(window, from: place).end("swf") != nil)
    }

    /// Returns where the next file begins.
    ///
    /// - Parameters:
    ///   - place: The first offset to consider.
    ///   - limit: The offset before which the file must begin.
    /// - Returns: nil if no file begins in this range.
    func next(from place: Int64, before limit: Int64) -> Int64? {
        if stands(at: place) { return place }
        // Each range is searched for all kinds, so that a kind that never comes does not cost the
        // whole range for each file.
        var (start, bytes) = (place, Self.leastSearch)
        while start < limit {
            let end = min(limit, start.addingClamped(bytes))
            if let found = search(from: start, before: end) { return found }
            (start, bytes) = (end, bytes.addingClamped(bytes))
        }
        return nil
    }

    private func search(from place: Int64, before limit: Int64) -> Int64? {
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

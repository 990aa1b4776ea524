internal import TakeupTimeline

/// Finds the chunks of sound in WAV, Wave64, AIFF and CAF that are not read.
///
/// Their formats allow one chunk, and FFmpeg reads only the last of several; in AIFF, only those
/// within the length that the file's head states.
struct SoundChunks {
    /// Highest number of chunks to follow.
    private static let most = 10_000

    private struct Chunk {
        let place: Int64
        let end: Int64
        /// Number of bytes of sound.
        let bytes: Int64
    }

    private let window: ByteWindow
    private let container: String

    init(_ window: ByteWindow, _ container: String) {
        self.window = window
        self.container = container
    }

    func fault() -> ContainerWalk.Fault? {
        let chunks = chunks()
        let limit = container == "aiff" ? formEnd : window.size
        guard let read = chunks.last(where: { $0.place < limit }) else { return nil }
        let others = chunks.filter { $0.place != read.place && $0.bytes > 0 }
        return others.isEmpty
            ? nil
            : .unreadable(
                others.map { $0.place..<$0.end },
                "are a further chunk of sound, and only one chunk can be read", read: read.bytes)
    }

    /// Where an AIFF file ends by its head.
    private var formEnd: Int64 { window.number(at: 4, bytes: 4).map { 8 + $0 } ?? window.size }

    /// Offset of the first chunk.
    private var first: Int64 { ["caf": 8, "w64": 40][container] ?? 12 }

    /// Number of bytes before the sound in its chunk.
    private var head: Int64 { ["aiff": 16, "caf": 16, "w64": 24][container] ?? 8 }

    /// - Returns: The chunks of sound; none if the first one does not state its end.
    /// - Note: Source: the documents that `ContainerExtent` names.
    private func chunks() -> [Chunk] {
        guard let declared = ContainerExtent.declaredEnd(window) else { return [] }
        let mark = Array((container == "aiff" ? "SSND" : "data").utf8)
        var found: [Chunk] = []
        var place = first
        for _ in 0..<Self.most {
            place += padding(place)
            let isSound = window.has(mark, at: place)
            let end = isSound && found.isEmpty ? declared : end(place)
            guard let name = window[place], name != 0, !isFile(place), let end, end <= window.size
            else { break }
            if isSound {
                found.append(Chunk(place: place, end: end, bytes: max(0, end - place - head)))
            }
            place = end
        }
        return found
    }

    /// Returns how many bytes come before the next chunk, for alignment.
    private func padding(_ place: Int64) -> Int64 {
        switch container {
        case "caf": 0
        case "w64": -place & 7
        default: place & 1
        }
    }

    private func isFile(_ place: Int64) -> Bool {
        ContainerHead(window, container: container).stands(at: place)
    }

    private func end(_ place: Int64) -> Int64? {
        switch container {
        case "aiff": window.number(at: place + 4, bytes: 4).map { place + 8 + $0 }
        case "caf":
            window.number(at: place + 4, bytes: 8).flatMap {
                $0 >= 0 ? (place + 12).addingClamped($0) : nil
            }
        case "w64":
            window.littleEndian(at: place + 16, bytes: 8).flatMap {
                $0 >= 24 ? place.addingClamped($0) : nil
            }
        default: window.littleEndian(at: place + 4, bytes: 4).map { place + 8 + $0 }
        }
    }
}

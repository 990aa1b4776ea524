internal import TakeupTimeline

/// Finds the chunks of sound behind the first one in WAV, Wave64, AIFF and CAF.
///
/// Their formats allow one, and FFmpeg reads only one of several: the first or the last.
struct SoundChunks {
    /// Highest number of chunks to follow.
    private static let most = 10_000

    private let window: ByteWindow
    private let container: String

    init(_ window: ByteWindow, _ container: String) {
        self.window = window
        self.container = container
    }

    func fault() -> ContainerWalk.Fault? {
        let others = others()
        return others.isEmpty
            ? nil
            : .unreadable(others, "are a further chunk of sound, and only one chunk can be read")
    }

    /// - Note: Source: the documents that `ContainerExtent` names.
    private func others() -> [Range<Int64>] {
        guard var place = ContainerExtent.declaredEnd(window) else { return [] }
        var found: [Range<Int64>] = []
        for _ in 0..<Self.most {
            place += padding(place)
            guard let name = window[place], name != 0, !isFile(place), let end = end(place),
                end <= window.size
            else { break }
            if window.has(Array((container == "aiff" ? "SSND" : "data").utf8), at: place) {
                found.append(place..<end)
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
                $0 > 0 ? (place + 12).addingClamped($0) : nil
            }
        case "w64":
            window.littleEndian(at: place + 16, bytes: 8).flatMap {
                $0 > 24 ? place.addingClamped($0) : nil
            }
        default: window.littleEndian(at: place + 4, bytes: 4).map { place + 8 + $0 }
        }
    }
}

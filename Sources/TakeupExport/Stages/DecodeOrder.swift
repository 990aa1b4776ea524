internal import TakeupTimeline

/// Derives decoding times that increase and never exceed the presentation times, for packets in
/// decoding order.
///
/// Matroska, Ogg and others store only presentation times. For these, the n-th packet gets the
/// presentation time of the picture `depth` places before the n-th shown picture. `depth` is the
/// highest number of pictures decoded before a picture that is shown earlier. FFmpeg guesses
/// `depth` from the first packets, and guesses too low.
struct DecodeOrder {
    /// Number of packets to examine before the first packet gets its time.
    static let window = 32
    /// - Note: Source: H.264 §A.3.1 and H.265 §A.4.2: a decoder holds back 16 pictures at most.
    private static let mostDepth = 16

    private struct Entry {
        let pts: Int64
        let dts: Int64?
        let duration: Int64
    }

    /// Whether to use the container's decoding times as far as they are valid.
    private let keepsTimes: Bool
    private var depth: Int
    private var waiting: [Entry] = []
    /// Presentation times of the newest packets, returned or not.
    private var recent: [Int64] = []
    /// Sorted presentation times of returned packets that no packet has used as its decoding time.
    private var unused: [Int64] = []
    private var last: Int64?
    private var newest: Int64?

    /// - Parameters:
    ///   - keepsTimes: Whether the container stores decoding times.
    ///   - depth: Reordering depth from the bitstream, in pictures; 0 if unknown.
    init(keepsTimes: Bool, depth: Int) {
        self.keepsTimes = keepsTimes
        self.depth = min(max(0, depth), Self.mostDepth)
    }

    /// Whether the next packet's time is known before the source ends.
    var isReady: Bool { waiting.count > (keepsTimes ? 0 : Self.window) }
    var isEmpty: Bool { waiting.isEmpty }

    /// Adds the next packet's times, in ticks.
    mutating func add(pts: Int64?, dts: Int64?, duration: Int64) {
        let step = max(1, duration)
        let shown = pts ?? dts ?? newest.map { $0.addingClamped(step) } ?? 0
        newest = shown
        waiting.append(Entry(pts: shown, dts: dts, duration: duration))
        guard !keepsTimes else { return }
        let later = recent.count { $0 > shown }
        depth = max(depth, min(later, Self.mostDepth))
        recent.append(shown)
        if recent.count > 2 * Self.mostDepth { recent.removeFirst() }
    }

    /// - Returns: The times of the oldest packet; nil if there is none.
    mutating func next() -> (pts: Int64, dts: Int64)? {
        guard let entry = waiting.first else { return nil }
        var dts = keepsTimes ? entry.dts ?? entry.pts : derived(entry)
        for (place, later) in waiting.enumerated() {
            dts = min(dts, later.pts.subtractingClamped(Int64(place)))
            if keepsTimes { break }
        }
        if let last { dts = max(dts, last.addingClamped(1)) }
        waiting.removeFirst()
        last = dts
        return (max(entry.pts, dts), dts)
    }

    /// Returns the presentation time of the picture that is shown `depth` places earlier.
    private mutating func derived(_ entry: Entry) -> Int64 {
        let place = unused.firstIndex { $0 > entry.pts } ?? unused.count
        unused.insert(entry.pts, at: place)
        guard let first = unused.first else { return entry.pts }
        if unused.count > depth { return unused.removeFirst() }
        guard let last else { return waiting.map(\.pts).min().map(lead) ?? first }
        return min(last.addingClamped(step), last + (first - last) / 2)
    }

    /// Returns the first decoding time, early enough for the first picture to be ready in time.
    private func lead(_ first: Int64) -> Int64 {
        first.subtractingClamped(step * Int64(depth))
    }

    /// Presentation interval of the waiting pictures, in ticks.
    private var step: Int64 {
        let shown = waiting.map(\.pts).sorted()
        let steps = zip(shown, shown.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
        guard !steps.isEmpty else { return max(1, waiting.first?.duration ?? 1) }
        return steps[steps.count / 2]
    }
}

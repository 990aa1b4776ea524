internal import TakeupTimeline

/// Follows the clock of a broadcast stream through its jumps, packet by packet, in file order.
///
/// An epoch is a span of time without a jump. All streams of a file share a clock: one stream sees
/// a jump first, and the others join the new epoch later.
struct EpochTracker {
    /// A jump forward by more than this, or back by more than `backwardLimit`, is a new epoch.
    ///
    /// - Note: Source: `dts_delta_threshold` of FFmpeg's command line, 10 s, and its 0.1 s back.
    static let forwardLimit = MediaTime(seconds: Int64(10))
    static let backwardLimit = MediaTime(value: 1, timescale: 10)

    /// The packet of a stream at which another epoch begins.
    struct Switch: Equatable {
        /// Number of the stream's packets before this one.
        var ordinal: Int
        var epoch: Int
    }

    private struct Epoch {
        var start: MediaTime
        var end: MediaTime
    }

    private struct Position {
        var epoch: Int
        /// Latest decoding time; nil until a packet has one.
        var last: MediaTime?
        var packets: Int
    }

    private var epochs: [Epoch] = []
    private var positions: [Int: Position] = [:]
    private(set) var switches: [Int: [Switch]] = [:]

    /// Processes the next packet of a stream.
    ///
    /// - Parameters:
    ///   - stream: Index of the stream.
    ///   - time: Decoding time, which only grows within an epoch; nil if unknown.
    ///   - shown: Presentation time, used to join epochs; nil means equal to `time`. Pictures may
    ///     arrive out of presentation order. Without `time`, only a jump larger than any reordering
    ///     begins an epoch.
    ///   - duration: How long the packet is shown.
    mutating func add(
        stream: Int, time: MediaTime?, shown: MediaTime? = nil, duration: MediaTime
    ) {
        guard let shown = shown ?? time else { return }
        var position = positions[stream] ?? begin(stream, at: time, shown)
        if jumps(to: time, shown, from: position) {
            position.epoch = epoch(for: time ?? shown, shown, after: position.epoch)
            switches[stream, default: []].append(
                Switch(ordinal: position.packets, epoch: position.epoch))
            position.last = nil
        }
        position.last = time ?? position.last
        position.packets += 1
        positions[stream] = position
        epochs[position.epoch].start = min(epochs[position.epoch].start, shown)
        epochs[position.epoch].end = max(epochs[position.epoch].end, shown + duration)
    }

    /// Returns the epoch of a stream's newest packet.
    func epoch(of stream: Int) -> Int { positions[stream]?.epoch ?? 0 }

    /// The offset for raw times of each epoch, which makes the epochs follow one another without a
    /// gap.
    var offsets: [MediaTime] {
        var offsets: [MediaTime] = []
        var end = epochs.first?.start ?? .zero
        for epoch in epochs {
            offsets.append(end - epoch.start)
            end = end + (epoch.end - epoch.start)
        }
        return offsets
    }

    private func jumps(to time: MediaTime?, _ shown: MediaTime, from position: Position) -> Bool {
        guard let time, let last = position.last else {
            return !isNear(shown, epochs[position.epoch])
        }
        return time - last > Self.forwardLimit || time - last < -Self.backwardLimit
    }

    private mutating func begin(_ stream: Int, at time: MediaTime?, _ shown: MediaTime) -> Position
    {
        if epochs.isEmpty { epochs.append(Epoch(start: shown, end: shown)) }
        let near = epochs.indices.last { isNear(time ?? shown, epochs[$0]) } ?? 0
        if near != 0 { switches[stream, default: []].append(Switch(ordinal: 0, epoch: near)) }
        return Position(epoch: near, last: time, packets: 0)
    }

    private mutating func epoch(for time: MediaTime, _ shown: MediaTime, after current: Int) -> Int
    {
        for candidate in epochs.indices.dropFirst(current + 1) where isNear(time, epochs[candidate])
        {
            return candidate
        }
        epochs.append(Epoch(start: shown, end: shown))
        return epochs.count - 1
    }

    private func isNear(_ time: MediaTime, _ epoch: Epoch) -> Bool {
        time >= epoch.start - Self.forwardLimit && time <= epoch.end + Self.forwardLimit
    }
}

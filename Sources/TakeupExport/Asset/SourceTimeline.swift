internal import TakeupTimeline

/// Converts the raw times of a source to one clock without jumps.
struct SourceTimeline: Sendable, Equatable {
    /// The offset for raw times of each epoch.
    var offsets: [MediaTime]
    /// For each stream, the packets at which an epoch begins.
    var switches: [Int: [EpochTracker.Switch]]

    static let straight = SourceTimeline(offsets: [.zero], switches: [:])

    var isStraight: Bool { offsets.count <= 1 }

    /// Returns the offset for a packet with `ordinal` packets of its stream before it.
    func offset(stream: Int, ordinal: Int) -> MediaTime {
        guard !isStraight else { return .zero }
        let epoch = switches[stream]?.last { $0.ordinal <= ordinal }?.epoch ?? 0
        return offsets[epoch]
    }
}

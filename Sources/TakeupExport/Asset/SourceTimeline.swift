internal import TakeupTimeline

/// How the raw times of a source become one clock that never jumps.
struct SourceTimeline: Sendable, Equatable {
    /// What to add to a raw time of each epoch.
    var offsets: [MediaTime]
    /// By stream, from which packet on which epoch holds.
    var switches: [Int: [EpochTracker.Switch]]

    static let straight = SourceTimeline(offsets: [.zero], switches: [:])

    var isStraight: Bool { offsets.count <= 1 }

    /// What to add to the raw time of a packet that `ordinal` packets of its stream came before.
    func offset(stream: Int, ordinal: Int) -> MediaTime {
        guard !isStraight else { return .zero }
        let epoch = switches[stream]?.last { $0.ordinal <= ordinal }?.epoch ?? 0
        return offsets[epoch]
    }
}

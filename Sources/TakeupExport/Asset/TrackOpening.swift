internal import TakeupFFmpeg
internal import TakeupTimeline

/// How a picture track begins: with a keyframe, or with pictures that build on what is not there.
struct TrackOpening: Sendable, Equatable {
    /// Packets before the first keyframe.
    private(set) var packetsBeforeKey = 0
    /// Pictures of the first keyframe's group that are shown before it.
    private(set) var leadingPictures = 0
    /// Of both, those that an edit list hides.
    private(set) var hiddenPictures = 0
    /// When the first keyframe is shown, in ticks of the raw clock; nil where the source does not say.
    private(set) var keyTicks: Int64?
    /// When the earliest of the pictures before it would be shown that nothing hides.
    private(set) var earliestTicks: Int64?
    private(set) var hasKey = false
    /// Whether nothing more can be found: a picture behind the keyframe is shown behind it.
    private(set) var isSettled = false

    /// Pictures before the keyframe that should be shown, and cannot.
    var undecodable: Int { packetsBeforeKey + leadingPictures - hiddenPictures }

    /// Takes in the next packet of the track.
    mutating func note(_ packet: borrowing Packet) {
        guard !isSettled else { return }
        if !hasKey, packet.isKey {
            hasKey = true
            keyTicks = packet.ptsTicks
            isSettled = keyTicks == nil
        } else if !hasKey {
            packetsBeforeKey += 1
            noteEarly(packet)
        } else if let shown = packet.ptsTicks, let keyTicks {
            isSettled = shown > keyTicks
            guard !isSettled else { return }
            leadingPictures += 1
            noteEarly(packet)
        }
    }

    private mutating func noteEarly(_ packet: borrowing Packet) {
        if packet.isDiscarded {
            hiddenPictures += 1
        } else if let shown = packet.ptsTicks ?? packet.dtsTicks {
            earliestTicks = min(earliestTicks ?? shown, shown)
        }
    }

    /// When the first keyframe is shown of a track that begins within a group of pictures; nil for others.
    ///
    /// That shows in packets before the keyframe, unless a whole picture comes out of them, or in a decoder that
    /// leaves out the pictures that are shown before it. Those of a closed group can be decoded.
    func time(_ base: TimeBase, decodedFirst first: FirstFrame?) -> MediaTime? {
        guard let time = keyTicks.map(base.time), undecodable + hiddenPictures > 0 else {
            return nil
        }
        let comesOut = first?.time.map { $0 < time } ?? false
        if packetsBeforeKey > 0 { return comesOut && first?.isKey == true ? nil : time }
        return comesOut || first?.time == nil ? nil : time
    }
}

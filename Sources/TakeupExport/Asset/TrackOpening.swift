internal import TakeupFFmpeg
internal import TakeupTimeline

/// The beginning of a video track: a keyframe, or pictures that refer to missing ones.
struct TrackOpening: Sendable, Equatable {
    /// Number of packets before the first keyframe.
    private(set) var packetsBeforeKey = 0
    /// Number of pictures in the first keyframe's GOP that are shown before it.
    private(set) var leadingPictures = 0
    /// Number of these early packets and pictures that an edit list hides.
    private(set) var hiddenPictures = 0
    /// Presentation time of the first keyframe, in ticks of the raw clock; nil if unknown.
    private(set) var keyTicks: Int64?
    /// Earliest presentation time of the pictures before the keyframe that no edit list hides.
    private(set) var earliestTicks: Int64?
    private(set) var hasKey = false
    /// Whether the result is final: a picture after the keyframe is also shown after it.
    private(set) var isSettled = false

    /// Number of pictures before the keyframe that should be shown but cannot be decoded.
    var undecodable: Int { packetsBeforeKey + leadingPictures - hiddenPictures }

    /// Processes the next packet of the track.
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

    /// Returns the first keyframe's presentation time if the track begins within a GOP; otherwise
    /// nil.
    ///
    /// Packets before the keyframe are a sign, unless a complete picture is decoded from them.
    /// Another sign is a decoder that drops the pictures shown before the keyframe. Pictures of a
    /// closed GOP can be decoded.
    func time(_ base: TimeBase, decodedFirst first: FirstFrame?) -> MediaTime? {
        guard let time = keyTicks.map(base.time), undecodable + hiddenPictures > 0 else {
            return nil
        }
        let comesOut = first?.time.map { $0 < time } ?? false
        if packetsBeforeKey > 0 { return comesOut && first?.isKey == true ? nil : time }
        return comesOut || first?.time == nil ? nil : time
    }
}

package import TakeupTimeline

extension Composition {
    /// Whether a source may play so many times faster than its own speed: 1/100 to 100.
    ///
    /// At other speeds nothing could be followed, and sound would be noise.
    package static func permits(_ speed: Ratio) -> Bool {
        let time = MediaTime(value: speed.numerator, timescale: speed.denominator)
        return time >= MediaTime(value: 1, timescale: 100) && time <= MediaTime(seconds: Int64(100))
    }

    /// Highest number of tracks; each track of sound is read at the same time as the others.
    package static let mostTracks = 32

    /// Returns why no export can make anything of the composition, or nil if one can.
    ///
    /// An export takes tracks of sources, parts of them at any speed, and empty time. Only the first track may have
    /// pictures; the sound of all tracks is mixed.
    public var fault: String? {
        guard !sources.isEmpty else { return "it has no sources" }
        guard tracks.count <= Self.mostTracks else {
            return "it has \(tracks.count) tracks, but at most \(Self.mostTracks) are possible"
        }
        for (track, value) in tracks.enumerated() {
            if let fault = value.fault(isFirst: track == 0) { return "track \(track + 1) \(fault)" }
            if let fault = value.duck?.fault(of: track, in: tracks) {
                return "track \(track + 1) \(fault)"
            }
            for (segment, part) in value.segments.enumerated() {
                if let fault = part.fault {
                    return "segment \(segment + 1) of track \(track + 1) \(fault)"
                }
            }
        }
        return nil
    }
}

extension Composition.Track {
    fileprivate func fault(isFirst: Bool) -> String? {
        guard isFirst || media == .audio else {
            return "takes \(media.rawValue), but only the first track may have pictures"
        }
        guard segments.contains(where: { !$0.isEmpty }) else { return "has no sources" }
        if media == .video, volume != nil { return "has a volume, but no sound" }
        return volume?.fault
    }
}

extension Composition.Segment {
    fileprivate var fault: String? {
        if let duration, duration <= .zero { return "lasts no time" }
        guard !isEmpty else { return duration == nil ? "is empty time without a duration" : nil }
        if let range, range.start < .zero { return "begins before its source" }
        if let own = range?.duration, own <= .zero { return "lasts no time" }
        if range?.duration == nil, duration != nil {
            return "says how long it lasts, but not where its part of the source ends"
        }
        if timecodeRate != nil, range == nil { return "counts in timecode without a start" }
        if range?.duration != nil, openSpeed != nil { return "says its speed twice" }
        if let speed, !Composition.permits(speed) {
            return "plays at a speed of \(speed), but it may be 1/100 to 100"
        }
        return nil
    }
}

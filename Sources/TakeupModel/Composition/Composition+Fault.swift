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
    /// An export takes tracks of sources, parts of them at any speed, and empty time. Tracks with pictures lie above each
    /// other; the sound of all tracks is mixed.
    public var fault: String? {
        guard !mediaSources.isEmpty else { return "it has no sources" }
        guard tracks.count <= Self.mostTracks else {
            return "it has \(tracks.count) tracks, but at most \(Self.mostTracks) are possible"
        }
        for (track, value) in tracks.enumerated() {
            if let fault = value.fault ?? value.duck?.fault(of: track, in: tracks)
                ?? value.loop?.fault(of: value, in: tracks)
            {
                return "track \(track + 1) \(fault)"
            }
            for (segment, part) in value.segments.enumerated() {
                if let fault = part.fault ?? value.fault(at: segment) {
                    return "segment \(segment + 1) of track \(track + 1) \(fault)"
                }
            }
        }
        return textFault
    }
}

extension Composition.Track {
    fileprivate var fault: String? {
        guard segments.contains(where: { !$0.isEmpty }) else { return "has no sources" }
        if media == .video, volume != nil { return "has a volume, but no sound" }
        if media == .audio, layout != nil { return "has a layout, but no pictures" }
        return volume?.fault ?? layout?.fault
    }

    /// What is wrong with how a segment lies on the track and beside its neighbours.
    fileprivate func fault(at place: Int) -> String? {
        let segment = segments[place]
        if media == .audio, segment.layout != nil { return "has a layout, but no pictures" }
        let shown = segment.layout.map { $0.filled(from: layout ?? Layout()) }
        if let fault = segment.layout?.fault ?? shown?.blurFault { return fault }
        if segment.isEmpty, segment.layout != nil { return "has a layout, but is empty time" }
        if let transition = segment.transition {
            guard place > 0 else { return "begins with a transition, but none is before it" }
            guard transition.duration > .zero else { return "begins with a transition of no time" }
            if segment.isEmpty, segments[place - 1].isEmpty {
                return "begins with a transition from empty time to empty time"
            }
            if media == .audio, transition.kind != .dissolve {
                return "begins with a \(transition.kind.rawValue), but sound can only dissolve"
            }
            if transition.color != nil, transition.kind != .dip {
                return "begins with a \(transition.kind.rawValue) through a colour, which a dip has"
            }
        }
        let next = place + 1 < segments.count ? segments[place + 1].transition : nil
        let overlaps = (segment.transition?.duration ?? .zero) + (next?.duration ?? .zero)
        guard overlaps > .zero, let length = segment.length, overlaps > length else { return nil }
        return "lasts \(length), but its transitions \(overlaps)"
    }
}

extension Composition.Segment {
    fileprivate var fault: String? {
        if let duration, duration <= .zero { return "lasts no time" }
        if let most, most <= .zero || range?.duration != nil || isEmpty {
            return "lasts a time at most, which has to be above 0, without another end"
        }
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

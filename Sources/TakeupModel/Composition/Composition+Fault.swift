package import TakeupTimeline

extension Composition {
    /// Whether a source may play so many times faster than its own speed: 1/100 to 100.
    ///
    /// At other speeds nothing could be followed, and sound would be noise.
    package static func permits(_ speed: Ratio) -> Bool {
        let time = MediaTime(value: speed.numerator, timescale: speed.denominator)
        return time >= MediaTime(value: 1, timescale: 100) && time <= MediaTime(seconds: Int64(100))
    }

    /// Returns why no export can make anything of the composition, or nil if one can.
    ///
    /// An export takes one track of sources, parts of them at any speed and empty time, of everything, of pictures alone
    /// or of sound alone, or a track of pictures and a track of sound with one whole source each.
    public var fault: String? {
        guard !sources.isEmpty else { return "it has no sources" }
        for (track, value) in tracks.enumerated() {
            for (segment, part) in value.segments.enumerated() {
                if let fault = part.fault {
                    return "segment \(segment + 1) of track \(track + 1) \(fault)"
                }
            }
        }
        switch tracks.map(\.media) {
        case [.all], [.video], [.audio]: return nil
        case [.video, .audio]:
            return tracks.allSatisfy { $0.segments.count == 1 && $0.segments[0].isWhole }
                ? nil : "pictures and sound of different sources need exactly one whole source each"
        default:
            return "it has other tracks than a single one, or one of pictures and one of sound"
        }
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

internal import TakeupTimeline

extension Composition {
    /// Returns why no export can make anything of the composition, or nil if one can.
    ///
    /// An export takes one track of sources or parts of them, or a track of pictures and a track of sound with one whole
    /// source each.
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
        case [.all]: return nil
        case [.video, .audio]:
            return tracks.allSatisfy { $0.segments.count == 1 && $0.segments[0].range == nil }
                ? nil : "pictures and sound of different sources need exactly one whole source each"
        default:
            return "it has other tracks than one of everything, or one of pictures and one of sound"
        }
    }
}

extension Composition.Segment {
    fileprivate var fault: String? {
        if isEmpty { return "is empty time, which cannot be exported yet" }
        if changesSpeed { return "changes the speed, which cannot be exported yet" }
        guard let range else { return nil }
        if range.start < .zero { return "begins before its source" }
        if let duration = range.duration, duration <= .zero { return "lasts no time" }
        return nil
    }
}

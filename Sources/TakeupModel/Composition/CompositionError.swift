public import TakeupTimeline

/// Why a composition cannot be edited as asked; nothing was changed.
public enum CompositionError: Error, Sendable, Equatable {
    /// There is no track with this index.
    case noTrack(Int)
    /// A range does not begin at 0 or later, or lasts no time.
    case invalidRange(TimeRange)
    /// A point in time is before 0.
    case invalidTime(MediaTime)
    /// A segment says no length, so that nothing can be placed behind its start.
    case unknownLength(track: Int, segment: Int)
    /// A segment begins with a transition, so that it overlaps the one before.
    case transition(segment: Int)
    /// A range reaches beyond the media that it is taken from.
    case beyondSource(TimeRange, length: MediaTime)
}

extension CompositionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noTrack(let index): "there is no track \(index)"
        case .invalidRange(let range):
            "a range from \(range.start) for \(range.duration?.description ?? "no stated time") is not possible"
        case .invalidTime(let time): "\(time) is before the start"
        case .unknownLength(let track, let segment):
            "segment \(segment) of track \(track) does not say how long it is"
        case .transition(let segment):
            "segment \(segment) begins with a transition, and tracks with transitions cannot be edited"
        case .beyondSource(let range, let length):
            "the range ends at \(range.end?.description ?? "an unknown time"), the source at \(length)"
        }
    }
}

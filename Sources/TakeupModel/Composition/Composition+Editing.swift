public import TakeupTimeline

/// The media of one source, as far as edits need them.
public struct SourceMedia: Sendable, Equatable {
    /// A path, or an http or https address.
    public var source: String
    /// How long each kind of its tracks lasts, counted from the source's start; without a kind that it lacks.
    public var lengths: [Composition.Media: MediaTime]

    public init(source: String, lengths: [Composition.Media: MediaTime]) {
        (self.source, self.lengths) = (source, lengths)
    }
}

/// What becomes of tracks of one source that do not end together.
public enum CommonEnd: String, Sendable, Hashable, Codable, CaseIterable {
    /// Each ends where it ends; empty time fills up to the longest, so that later media stay together.
    case longest
    /// All end where the shortest ends.
    case shortest
}

/// AVFoundation's edits of a whole composition: every track moves together.
extension Composition {
    /// Inserts a part of a source into all tracks, and adds the tracks that are missing; what lies later moves back.
    ///
    /// - Parameters:
    ///   - range: The part, counted from the source's start; nil for all of it.
    ///   - media: The source.
    ///   - time: Nil appends behind the longest track.
    ///   - end: What becomes of tracks that end apart.
    /// - Throws: `CompositionError`; nothing was changed then.
    public mutating func insert(
        _ range: TimeRange? = nil, of media: SourceMedia, at time: MediaTime? = nil,
        end: CommonEnd = .longest
    ) throws(CompositionError) {
        let length = media.lengths.values.max() ?? .zero
        let part = try Self.part(range, of: length)
        let place: MediaTime
        if let time { place = time } else { place = try requireDuration() }
        var edited = self
        for kind in Media.allCases where media.lengths[kind] != nil {
            if !edited.tracks.contains(where: { $0.media == kind }) {
                edited.tracks.append(Track(kind))
            }
        }
        let ends = media.lengths.values.map { min($0, part.end ?? $0) }
        let common = end == .shortest ? ends.min() ?? .zero : part.end ?? length
        guard common > part.start else { throw .beyondSource(part, length: common) }
        var isTaken: Set<Media> = []
        for index in edited.tracks.indices {
            let kind = edited.tracks[index].media
            let own = isTaken.insert(kind).inserted ? media.lengths[kind] : nil
            let last = max(part.start, min(own ?? part.start, common))
            var inserted: [Segment] = []
            if last > part.start {
                inserted.append(
                    Segment(source: media.source, range: TimeRange(start: part.start, end: last)))
            }
            if last < common { inserted.append(.empty(common - last)) }
            try edited.tracks[index].insert(inserted, at: place)
        }
        self = edited
    }

    /// Inserts empty time into every track; behind a track's end nothing is inserted.
    ///
    /// - Throws: `CompositionError`; nothing was changed then.
    public mutating func insertEmpty(_ range: TimeRange) throws(CompositionError) {
        try edit { (track) throws(CompositionError) in try track.insertEmpty(range) }
    }

    /// Removes a stretch of time from every track; tracks stay, also empty ones.
    ///
    /// - Throws: `CompositionError`; nothing was changed then.
    public mutating func remove(_ range: TimeRange) throws(CompositionError) {
        try edit { (track) throws(CompositionError) in try track.remove(range) }
    }

    /// Gives a stretch of time another duration in every track.
    ///
    /// - Throws: `CompositionError`; nothing was changed then.
    public mutating func scale(
        _ range: TimeRange, to duration: MediaTime
    ) throws(CompositionError) {
        try edit { (track) throws(CompositionError) in try track.scale(range, to: duration) }
    }

    private mutating func edit(
        _ body: (inout Track) throws(CompositionError) -> Void
    ) throws(CompositionError) {
        var edited = self
        for index in edited.tracks.indices { try body(&edited.tracks[index]) }
        self = edited
    }

    private func requireDuration() throws(CompositionError) -> MediaTime {
        if let duration { return duration }
        for (track, value) in tracks.enumerated() {
            if let segment = value.segments.firstIndex(where: { $0.length == nil }) {
                throw .unknownLength(track: track, segment: segment)
            }
        }
        return .zero
    }

    private static func part(
        _ range: TimeRange?, of length: MediaTime
    ) throws(CompositionError) -> TimeRange {
        guard let range else { return TimeRange(start: .zero, duration: length) }
        guard range.start >= .zero, range.duration.map({ $0 > .zero }) ?? true else {
            throw .invalidRange(range)
        }
        let end = range.end ?? length
        guard range.start < length, end <= length else {
            throw .beyondSource(range, length: length)
        }
        return TimeRange(start: range.start, end: end)
    }
}

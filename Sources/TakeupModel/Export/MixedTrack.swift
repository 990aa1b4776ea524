/// One of the tracks of sound that are mixed.
///
/// It lasts as long as the mix, to the sample.
public struct MixedTrack: Sendable, Equatable, Codable {
    /// Which of the timeline's tracks, from 0.
    public var track: Int
    public var segments: [TrackSegment]
    /// How loud it is, by the output's time.
    public var volume: Volume
    /// The same while another track is heard, beside `volume`; nil if none lowers it.
    public var ducking: Volume?
    /// How loud cross-fades make it besides; nil for a track without any.
    public var fades: Volume?

    package init(
        track: Int, segments: [TrackSegment], volume: Volume, ducking: Volume? = nil,
        fades: Volume? = nil
    ) {
        (self.track, self.segments, self.volume) = (track, segments, volume)
        (self.ducking, self.fades) = (ducking, fades)
    }

    package var json: JSONValue {
        [
            "track": .whole(track), "volume": .number(volume.level),
            "ramps": .whole(volume.ramps.count), "fades": .whole(fades?.ramps.count ?? 0),
            "ducked": .whole(ducking.map { $0.ramps.count / 2 } ?? 0),
            "from": .list(
                segments.compactMap { segment in
                    segment.track.map { TrackOrigin(source: segment.source, track: $0).json }
                }),
        ]
    }
}

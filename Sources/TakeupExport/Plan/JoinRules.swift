internal import TakeupFFmpeg

/// Decides whether tracks of several inputs can be joined without encoding, in one track of an MP4.
///
/// An MP4 track has one sample description, so the inputs' descriptions must be equal.
enum JoinRules {
    /// - Returns: Why the tracks must be encoded; nil if they can be copied.
    static func obstacle(_ segments: [TrackSegment], _ assets: [InspectedAsset]) -> String? {
        guard segments.allSatisfy(\.isWhole) else {
            return "several inputs are joined, and one of them is cut"
        }
        var first: StreamDescription?
        for segment in segments {
            let asset = assets[segment.source]
            guard let track = segment.track,
                let stream = asset.streams.first(where: { $0.index == track })
            else { return "several inputs are joined, and one of them lacks the track" }
            if stream.kind == .video, asset.hiddenPackets[track] ?? 0 > 0 {
                return "several inputs are joined, and an edit list hides a part of one"
            }
            if let first, let difference = difference(first, stream) {
                return "the inputs to be joined differ in their \(difference)"
            }
            first = first ?? stream
        }
        return nil
    }

    private static func difference(
        _ one: StreamDescription, _ other: StreamDescription
    ) -> String? {
        if one.codec != other.codec { return "codecs, \(one.codec) and \(other.codec)" }
        if (one.width, one.height) != (other.width, other.height) {
            return "sizes, \(one.width)x\(one.height) and \(other.width)x\(other.height)"
        }
        if one.sampleAspect != other.sampleAspect { return "pixels' shapes" }
        if one.displayMatrix != other.displayMatrix { return "rotations" }
        if one.audioFormat?.sampleRate != other.audioFormat?.sampleRate { return "sample rates" }
        if one.audioFormat?.layout != other.audioFormat?.layout { return "channels" }
        let isSame =
            one.pixelFormat == other.pixelFormat && one.profile == other.profile
            && one.codecHeader == other.codecHeader
        return isSame ? nil : "codec parameters (\(one.codec))"
    }
}

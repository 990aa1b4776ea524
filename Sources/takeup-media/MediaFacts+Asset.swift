internal import TakeupExport
internal import TakeupMediaClient
internal import TakeupTimeline

extension MediaFacts {
    init(_ asset: AssetDescription) {
        self.init()
        let seconds = asset.duration.seconds
        self.seconds = seconds > 0 ? seconds : nil
        if let track = Self.picture(asset) {
            hasVideo = true
            videoCodec = track.codec
            let size = track.video?.displaySize
            (width, height) = (size?.width, size?.height)
        }
        audioCodec = Self.sound(asset)?.codec
        for case let language? in asset.tracks.filter({ $0.type == .audio }).map(\.language)
        where !languages.contains(language) && languages.count < Self.mostLanguages {
            languages.append(language)
        }
        if let loss = asset.loss, loss.isTruncated {
            cutShort =
                loss.details.isEmpty
                ? "the file ends too early" : loss.details.joined(separator: "; ")
        } else if let cut = asset.warnings.first(where: { $0.code == "cutPacket" }) {
            // No damage to a broadcast, but what a file looks like that is still being copied.
            cutShort = cut.message
        }
        self = bounded
    }

    /// The one that an export takes: the largest that can be decoded.
    private static func picture(_ asset: AssetDescription) -> AssetTrack? {
        let tracks = asset.tracks.filter { $0.type == .video }
        func area(_ track: AssetTrack) -> Int {
            (track.video?.width ?? 0) * (track.video?.height ?? 0)
        }
        return tracks.filter(\.isDecodable).max { area($0) < area($1) } ?? tracks.first
    }

    /// The one that plays where nobody chooses.
    private static func sound(_ asset: AssetDescription) -> AssetTrack? {
        let tracks = asset.tracks.filter { $0.type == .audio }
        let usable = tracks.filter(\.isDecodable)
        let flagged = usable.filter(\.isDefault)
        return flagged.count == 1 ? flagged[0] : usable.first ?? tracks.first
    }
}

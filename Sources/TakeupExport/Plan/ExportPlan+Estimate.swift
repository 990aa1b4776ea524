internal import TakeupTimeline

extension ExportPlan {
    /// Bits of one pixel of one picture at the shipped presets' qualities, generously.
    private static let pixelBits = 0.15
    /// What the container itself takes.
    static let containerBytes = 64 * 1024.0

    /// About how large the output becomes; rather too large than too small.
    ///
    /// - Parameter sources: What the segments name by their places.
    /// - Returns: Bytes; nil when a copied track's share of its source is not known.
    func estimate(_ sources: [AssetDescription]) -> Int64? {
        guard let bytes = qualityBytes(sources) else { return nil }
        return sizeLimit.map { min($0, bytes) } ?? bytes
    }

    /// The same at the preset's quality, whatever the limit.
    func qualityBytes(_ sources: [AssetDescription]) -> Int64? {
        var bytes = Self.containerBytes
        if let video {
            guard let share = bytesOf(video, sources) else { return nil }
            bytes += share
        }
        for track in audio {
            switch track.mode {
            case .encode(let encoding): bytes += Double(encoding.bitRate) / 8 * duration.seconds
            case .copy:
                guard let share = copied(track.segments, sources) else { return nil }
                bytes += share
            }
        }
        return Int64(min(max(0, bytes), 0x1p60))
    }

    /// Whether the limit or the preset's quality decides about the size, as far as it can be told before.
    func sizeDecision(_ sources: [AssetDescription]) -> Decision? {
        guard let limit = sizeLimit else { return nil }
        let most = "at most \(Self.text(limit))"
        guard case .encode = video?.mode else {
            return Decision(
                "size limit", most,
                because: "what is copied, and sound alone, has one size: it fits or is refused")
        }
        guard let bytes = qualityBytes(sources), bytes <= limit else {
            return Decision(
                "size limit", most,
                because: "the preset's quality goes first; the limit decides if that takes more")
        }
        return Decision(
            "size limit", "the preset's quality, about \(Self.text(bytes)) or less",
            because: "that is within the limit of \(Self.text(limit)), which is not filled up")
    }

    private static func text(_ bytes: Int64) -> String {
        bytes < 10_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
    }

    private func bytesOf(_ video: VideoTrackPlan, _ sources: [AssetDescription]) -> Double? {
        guard case .encode(let encoding) = video.mode else {
            return copied(video.segments, sources)
        }
        let rate = encoding.frameRate?.doubleValue ?? 30
        let bits = Double(encoding.width * encoding.height) * rate * Self.pixelBits
        let most = preset.video?.maxBitRate.map { Double($0) } ?? bits
        return min(bits, most) / 8 * duration.seconds
    }

    /// A track's own rate tells it; else the whole source's, which is too much.
    private func copied(_ segments: [TrackSegment], _ sources: [AssetDescription]) -> Double? {
        var bytes = 0.0
        for segment in segments {
            guard let track = segment.track else { continue }
            let source = sources[segment.source]
            if let rate = source.tracks.first(where: { $0.index == track })?.bitRate {
                bytes += Double(rate) / 8 * segment.duration.seconds
            } else if let all = source.bytes, source.duration > .zero {
                bytes += Double(all) * segment.duration.seconds / source.duration.seconds
            } else {
                return nil
            }
        }
        return bytes
    }
}

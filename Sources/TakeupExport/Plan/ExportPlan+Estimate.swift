internal import TakeupTimeline

extension ExportPlan {
    /// Bits of one pixel of one picture at the shipped presets' qualities, generously.
    private static let pixelBits = 0.15
    /// What the container itself takes.
    private static let containerBytes = 64 * 1024.0

    /// About how large the output becomes; rather too large than too small.
    ///
    /// - Parameter sources: The session's assets, in its order.
    /// - Returns: Bytes; nil when a copied track's share of its source is not known.
    public func estimatedBytes(_ sources: [AssetDescription]) -> Int64? {
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
        let estimate = Int64(min(max(0, bytes), 0x1p60))
        return sizeLimit.map { min($0, estimate) } ?? estimate
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

internal import TakeupTimeline

extension ExportPlan {
    /// Bytes of the container without its packets, and of its index for a picture and for a block of sound.
    private static let headBytes = 1_500.0
    private static let pictureIndexBytes = 14.0
    private static let soundIndexBytes = 5.0
    private static let soundBlock = 1_024.0

    /// Bytes below which no encoder goes: a black picture, AV1's repeated one, and a block of silence.
    ///
    /// - Note: Source: 64×64 by libx264, libx265 and SVT-AV1, and mono AAC, at their lowest qualities.
    private static let leastPictureBytes = 12.0
    private static let leastAV1Bytes = 3.0
    private static let leastBlockBytes = 4.0

    /// How large the output becomes; nil where a copied track's size is not known.
    public var expectedSize: ExpectedSize? {
        total(\.bytes).map {
            ExpectedSize(
                bytes: min($0, sizeLimit ?? .max), isMeasured: tracks.allSatisfy(\.isMeasured))
        }
    }

    /// The same, rather too large than too small: bytes to keep free.
    public var estimatedBytes: Int64? { qualityBytes.map { min($0, sizeLimit ?? .max) } }

    /// The same at the preset's quality, whatever the limit.
    package var qualityBytes: Int64? { total(\.mostBytes) }

    /// The output takes at least so many bytes, unless a part of a source is missing.
    package var leastBytes: Int64 {
        let shares = tracks.map { track in
            // Sound is encoded at a lower rate if the limit requires it, unless the preset copies it.
            let mayShrink =
                track.type == .audio && sizeLimit != nil && preset.audio?.codec != .copy
            if track.isCopied, !mayShrink {
                return track.isMeasured ? (track.bytes ?? 0) * 0.9 : 0
            }
            let packets = packets(track)
            let isAV1 = track.codec == VideoCodec.av1.rawValue
            return switch track.type {
            // Of an uneven track it is not known how many there are, and even ones may have gaps.
            case .video where track.frameRate == nil: 0
            case .video: packets / 2 * (isAV1 ? Self.leastAV1Bytes : Self.leastPictureBytes)
            case .audio: packets * Self.leastBlockBytes
            case .subtitle, .data, .picture: 0
            }
        }
        return Self.whole(shares.reduce(0, +))
    }

    /// Whether the limit or the preset's quality decides about the size, as far as it can be told before.
    package var sizeDecision: Decision? {
        guard let limit = sizeLimit else { return nil }
        let most = "at most \(Self.text(limit))"
        guard case .encode = video?.mode else {
            return Decision(
                "size limit", most,
                because: "what is copied, and sound alone, has one size: it fits or is refused")
        }
        guard let bytes = qualityBytes, bytes <= limit else {
            return Decision(
                "size limit", most,
                because: "the preset's quality goes first; the limit decides if that takes more")
        }
        return Decision(
            "size limit", "the preset's quality, about \(Self.text(bytes)) or less",
            because: "that is within the limit of \(Self.text(limit)), which is not filled up")
    }

    /// Keeps sizes of durations that no real source has from exceeding what can be added up.
    package static func whole(_ bytes: Double) -> Int64 { Int64(min(max(0, bytes), 0x1p60)) }

    private func total(_ share: (PlannedTrack) -> Double?) -> Int64? {
        var bytes = Self.headBytes
        for track in tracks {
            guard let packetBytes = share(track) else { return nil }
            let indexBytes = track.type == .video ? Self.pictureIndexBytes : Self.soundIndexBytes
            bytes += packetBytes + packets(track) * indexBytes
        }
        return Self.whole(bytes)
    }

    /// About how many packets a track has.
    private func packets(_ track: PlannedTrack) -> Double {
        switch track.type {
        case .video:
            min(track.frameRate?.doubleValue ?? 30, preset.video?.maxFrameRate ?? .infinity)
                * duration.seconds
        case .audio: Double(track.sampleRate ?? 0) / Self.soundBlock * duration.seconds
        case .subtitle, .data, .picture: 0
        }
    }

    private static func text(_ bytes: Int64) -> String {
        bytes < 10_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
    }
}

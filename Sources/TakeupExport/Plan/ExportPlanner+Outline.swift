internal import TakeupTimeline

extension ExportPlanner {
    /// The output's tracks in the order in which they are written.
    func outline(
        _ video: VideoTrackPlan?, _ audio: [AudioTrackPlan], _ subtitles: [SubtitleTrackPlan]
    ) -> [PlannedTrack] {
        let pictures = video.flatMap { outline($0) }.map { [$0] } ?? []
        return pictures + audio.compactMap { outline($0) } + subtitles.map { outline($0) }
    }

    private func outline(_ plan: VideoTrackPlan) -> PlannedTrack? {
        guard let source = source(plan.segments), let traits = source.video else { return nil }
        var track = PlannedTrack(
            type: .video, isCopied: plan.mode == .copy, codec: source.codec,
            language: plan.language, title: plan.title, reason: plan.reason,
            origins: origins(plan.segments))
        switch plan.mode {
        case .copy:
            (track.width, track.height) = (traits.width, traits.height)
            track.frameRate = traits.frameRateMode == .constant ? traits.plausibleRate : nil
            track.dynamicRange = Self.range(traits.color)
            measure(&track, plan.segments)
        case .encode(let encoding):
            track.codec = preset.video?.codec.rawValue ?? source.codec
            (track.width, track.height) = (encoding.width, encoding.height)
            let timing = encoding.timing
            track.frameRate = timing.constantRate ?? timing.grid
            track.dynamicRange = Self.range(encoding.color)
            let bitRate = PictureEstimate(preset.video ?? VideoSettings(codec: .h264))
                .bitRate(source, encoding)
            track.bitRate = Int(bitRate)
            track.bytes = bitRate / 8 * seconds(plan.segments)
        }
        return track
    }

    private func outline(_ plan: AudioTrackPlan) -> PlannedTrack? {
        guard let source = source(plan.segments), let traits = source.audio else { return nil }
        var track = PlannedTrack(
            type: .audio, isCopied: plan.mode == .copy, codec: source.codec,
            language: plan.language, title: plan.title, reason: plan.reason,
            origins: origins(plan.segments))
        switch plan.mode {
        case .copy:
            (track.channels, track.channelLayout) = (traits.channels, traits.channelLayout)
            track.sampleRate = traits.sampleRate
            measure(&track, plan.segments)
        case .encode(let encoding):
            track.codec = encoding.encoder
            (track.channels, track.channelLayout) = (encoding.channels, encoding.channelLayout)
            (track.sampleRate, track.bitRate) = (encoding.sampleRate, encoding.bitRate)
            track.bytes = Double(encoding.bitRate) / 8 * seconds(plan.segments)
        }
        return track
    }

    private func outline(_ plan: SubtitleTrackPlan) -> PlannedTrack {
        PlannedTrack(
            type: .subtitle, isCopied: false, codec: "mov_text", language: plan.language,
            title: plan.title, reason: PlanReason(.otherCodec, "mov_text is MP4's own text format"),
            origins: origins(plan.segments), bytes: 0)
    }

    /// What a copy takes along: its source's rate over its length.
    private func measure(_ track: inout PlannedTrack, _ segments: [TrackSegment]) {
        var bytes = 0.0
        var isMeasured = true
        for segment in segments {
            guard let source = source([segment]), let rate = source.bitRate else { return }
            let asset = assets[segment.source].description
            let isIndexed = asset.container.contains("mp4") || source.bitRateOrigin == .packets
            isMeasured = isMeasured && isIndexed && segment.isWhole
            let own = source.duration ?? segment.duration
            bytes += Double(rate) / 8 * (segment.isWhole ? own : segment.duration).seconds
        }
        track.bitRate = segments.count == 1 ? source(segments)?.bitRate : nil
        (track.bytes, track.isMeasured) = (bytes, isMeasured)
    }

    private func source(_ segments: [TrackSegment]) -> AssetTrack? {
        guard let segment = segments.first(where: { $0.track != nil }) else { return nil }
        return assets[segment.source].description.tracks.first { $0.index == segment.track }
    }

    private func origins(_ segments: [TrackSegment]) -> [TrackOrigin] {
        segments.compactMap { segment in
            segment.track.map { TrackOrigin(source: segment.source, track: $0) }
        }
    }

    private func seconds(_ segments: [TrackSegment]) -> Double {
        segments.map(\.duration.seconds).reduce(0, +)
    }

    private static func range(_ color: ColorTags) -> PlannedTrack.Range {
        switch color.transfer {
        case "smpte2084": .pq
        case "arib-std-b67": .hlg
        default: .sdr
        }
    }
}

extension ExportPlan {
    /// Bytes of the container without its packets, and of its index for a picture and for a block of sound.
    private static let headBytes = 1_500.0
    private static let pictureIndexBytes = 14.0
    private static let soundIndexBytes = 5.0
    private static let soundBlock = 1_024.0

    /// How large the output becomes; nil where a copied track's size is not known.
    public var expectedSize: ExpectedSize? {
        var bytes = Self.headBytes
        for track in tracks {
            guard let share = track.bytes else { return nil }
            let rate = track.frameRate?.doubleValue ?? 30
            let packets =
                switch track.type {
                case .video: Self.pictureIndexBytes * rate
                case .audio: Self.soundIndexBytes * Double(track.sampleRate ?? 0) / Self.soundBlock
                case .subtitle, .data, .picture: 0.0
                }
            bytes += share + packets * duration.seconds
        }
        let most = sizeLimit.map { Double($0) } ?? 0x1p60
        return ExpectedSize(
            bytes: Int64(min(bytes, most)), isMeasured: tracks.allSatisfy(\.isMeasured))
    }

    /// What is copied alone takes at least so many bytes.
    var leastBytes: Int64 {
        let copied = tracks.filter { $0.isCopied && $0.isMeasured }.compactMap(\.bytes)
        return Int64(min(copied.reduce(0, +) * 0.9, 0x1p60))
    }
}

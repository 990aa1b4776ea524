internal import TakeupFFmpeg
internal import TakeupTimeline

/// Where a segment's packets can be copied, or why they cannot.
enum SegmentSeams: Sendable, Equatable {
    case found(CopySpan)
    case none(String)
}

/// The packets of a segment that can be copied, by times in ticks of the output's track, counted on the source's clock.
struct CopySpan: Sendable, Equatable {
    var entry: Int64
    /// Whether pictures before the entry are shown.
    var hasHead: Bool
    var stop: StopSearch.Stop
    var depth: Int
}

/// Segments whose packets have to be examined before a plan can tell which of them are copied.
struct SeamWish: Sendable, Equatable {
    let segments: [TrackSegment]
    let timescale: Int64

    /// When a segment begins, in ticks on its source's clock.
    static func start(_ segment: TrackSegment, _ timescale: Int64) -> Int64 {
        segment.sourceStart.ticks(of: 1, over: timescale)
    }

    /// When a segment ends, in ticks on its source's clock; nil if all that the source gives is taken.
    static func end(_ segment: TrackSegment, _ timescale: Int64) -> Int64? {
        segment.isOpenEnded
            ? nil
            : start(segment, timescale) + segment.duration.ticks(of: 1, over: timescale)
    }
}

extension ExportPlanner {
    /// A track in parts.
    struct PartPlan {
        let parts: [VideoPart]
        let encoding: VideoEncoding
        let reason: PlanReason
    }

    /// Highest number of parts that a decision names.
    private static let mostNamedParts = 8

    /// Divides a track that no copy can be into parts that are copied and parts that are encoded.
    ///
    /// - Parameters:
    ///   - segments: The track's segments.
    ///   - tracks: The tracks of the segments.
    ///   - obstacle: Why the track cannot be copied as a whole; gets the reason against parts.
    ///   - rules: The rules for copies.
    /// - Returns: nil if the track must be encoded as a whole.
    mutating func parts(
        _ segments: [TrackSegment], _ tracks: [AssetTrack?], _ obstacle: inout PlanReason,
        _ rules: VideoCopyRules
    ) -> PartPlan? {
        guard [.cut, .joined, .hiddenPart].contains(obstacle.code),
            settings.fileLengthLimit ?? preset.sizeLimit == nil
        else { return nil }
        for (segment, track) in zip(segments, tracks) {
            guard let track else { return nil }
            guard let reason = rules.partObstacle(track, assets[segment.source]) else { continue }
            if reason.code == .copyProvedWrong { obstacle = reason }
            return nil
        }
        do throws(PartRules.Obstacle) {
            return try parts(segments, tracks.compactMap(\.self), rules)
        } catch {
            obstacle.text += "; \(error.text)"
            return nil
        }
    }

    private mutating func parts(
        _ segments: [TrackSegment], _ tracks: [AssetTrack], _ rules: VideoCopyRules
    ) throws(PartRules.Obstacle) -> PartPlan? {
        let wanted = rules.settings
        let found = try PartRules(segments, assets, wanted)
        guard let encoder = wanted.codec.encoderName, Encoder.exists(encoder) else { return nil }
        guard let seams else {
            seamWish = SeamWish(segments: segments, timescale: found.timescale)
            return nil
        }
        var parts: [VideoPart] = []
        for (place, (segment, seam)) in zip(segments, seams).enumerated() {
            guard case .found(let span) = seam else {
                if case .none(let text) = seam { throw PartRules.Obstacle(text) }
                continue
            }
            parts += Self.divided(
                segment, span, found.timescale, isLast: place == segments.count - 1)
        }
        let total = parts.map(\.segment.duration).reduce(.zero, +)
        let copied = parts.filter(\.isCopied).map(\.segment.duration).reduce(.zero, +)
        guard copied + copied >= total else {
            throw PartRules.Obstacle(
                "only \(copied) of it lie between places where decoding can begin, which is less "
                    + "than half")
        }
        let encoding = encoding(tracks, wanted, encoder, found)
        return note(parts, encoding, encoded: total - copied, wanted)
    }

    /// Divides a segment into the part before the copied packets, these, and the part behind them.
    static func divided(
        _ segment: TrackSegment, _ span: CopySpan, _ timescale: Int64, isLast: Bool
    ) -> [VideoPart] {
        let start = SeamWish.start(segment, timescale)
        let target = segment.targetStart.ticks(of: 1, over: timescale)
        let limit = SeamWish.end(segment, timescale)
        let nominal = start + segment.duration.ticks(of: 1, over: timescale)
        let part = { (from: Int64, to: Int64, packets: CopiedPackets?) in
            let time = { MediaTime(value: $0, timescale: timescale) }
            var own = segment
            own.sourceStart = time(from)
            own.duration = time(max(0, to - from))
            own.targetStart = time(target + from - start)
            (own.isWhole, own.mustFill) = (false, true)
            return VideoPart(own, packets: packets)
        }
        // Without a packet behind it, only the last picture of the track tells how long it lasts.
        let isOpen = span.stop.tail == nil && (limit == nil || span.stop.next == nil && isLast)
        let end = span.stop.tail ?? limit ?? max(nominal, span.stop.last + 1)
        let packets = CopiedPackets(
            entry: span.entry, last: span.stop.last, stop: span.stop.next,
            end: isOpen ? nil : end, depth: span.depth)
        var parts = [part(span.entry, end, packets)]
        if span.hasHead { parts.insert(part(start, span.entry, nil), at: 0) }
        if let tail = span.stop.tail {
            parts.append(part(tail, max(limit ?? nominal, tail + 1), nil))
        }
        return parts
    }

    private func encoding(
        _ tracks: [AssetTrack], _ wanted: VideoSettings, _ encoder: String, _ rules: PartRules
    ) -> VideoEncoding {
        let traits = tracks.first?.video
        let rate = traits?.plausibleRate
        let capped = min(rate?.doubleValue ?? 30, wanted.maxFrameRate ?? .infinity, 240)
        return VideoEncoding(
            encoder: encoder, width: traits?.width ?? 0, height: traits?.height ?? 0,
            fit: wanted.fit, pixelFormat: "yuv420p",
            color: ColorTags(rules.color, or: rules.color), isToneMapped: false,
            timing: FrameTimingPlan(timescale: rules.timescale), frameRate: rate,
            keyFrameInterval: max(1, Int((wanted.keyframeSeconds * max(1, capped)).rounded())),
            threads: settings.encoderThreads ?? 0, match: rules.match)
    }

    private mutating func note(
        _ parts: [VideoPart], _ encoding: VideoEncoding, encoded: MediaTime,
        _ wanted: VideoSettings
    ) -> PartPlan {
        let isCopy = encoded <= .zero
        let reason = PlanReason(
            .partsCopied,
            isCopy
                ? "its parts already meet the preset \(preset.name)"
                : "it already meets the preset \(preset.name); pictures at cuts are encoded, so that "
                    + "cuts are exact to the frame")
        let quality = "speed \(wanted.speed), crf \(wanted.crf.plain)"
        decide(
            "video",
            isCopy
                ? "copy h264"
                : "copy h264, encode \(encoded) with \(encoding.encoder), \(quality)",
            because: reason.text)
        let named = parts.prefix(Self.mostNamedParts).map { part in
            let segment = part.segment
            let end = segment.targetStart + segment.duration
            return "\(part.isCopied ? "copy" : "encode") \(segment.targetStart) to \(end)"
        }
        let more = parts.count - named.count
        decide(
            "parts", named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""),
            because: "decoding can begin only at certain pictures of the source")
        return PartPlan(parts: parts, encoding: encoding, reason: reason)
    }
}

internal import TakeupFFmpeg
internal import TakeupTimeline

extension ExportPlanner {
    /// Generous estimate of the container's bytes besides the packets.
    private static let containerBytes = 64 * 1024.0

    mutating func planVideo(
        _ selections: [Selection], _ spans: [Span]
    ) throws(ExportError) -> VideoTrackPlan? {
        guard let wanted = preset.video else { return nil }
        let used = spans.map { selections[$0.clip] }
        guard let first = used.compactMap(\.video).first else {
            let isTaken = clips.contains { $0.videoSource != nil }
            decide(
                "video", "none",
                because: isTaken ? "the source has no pictures" : "the timeline takes no pictures")
            return nil
        }
        guard used.allSatisfy({ $0.video != nil || $0.clip.empty != nil }) else {
            throw .unsupported(
                names, reason: "some of the inputs to be joined have pictures and others have none")
        }
        let segments = spans.enumerated().map { place, span in
            let selection = selections[span.clip]
            return segment(
                span, selection, source: selection.clip.videoSource ?? 0,
                track: selection.video?.index, isLast: place == spans.count - 1)
        }
        let rules = VideoCopyRules(
            settings: wanted, policy: settings.copy, salvages: settings.onTruncated == .salvage,
            limit: feltLimit(segments, assets[segments[0].source].description),
            objection: objections[.video])
        let mode: TrackMode<VideoEncoding>
        var reason = PlanReason.copied(by: preset, copies: wanted.codec == .copy)
        var parts: [VideoPart] = []
        if var obstacle = obstacle(
            segments, used.map(\.video), copies: wanted.codec == .copy, rules.obstacle)
        {
            if wanted.codec == .copy { throw .unsupported(names, reason: obstacle.text) }
            if let divided = self.parts(segments, used.map(\.video), &obstacle, rules) {
                parts = divided.parts
                mode = .encode(divided.encoding)
                reason = divided.reason
            } else {
                let played = zip(used, spans).compactMap { selection, span in
                    selection.video.map { PlayedTrack($0, at: span.speed) }
                }
                mode = .encode(try encoding(played, wanted, because: obstacle.text))
                reason = obstacle
            }
        } else {
            decide("video", "copy \(first.codec)", because: reason.text)
            mode = .copy
        }
        noteRate(first, "video", isLimited: wanted.codec != .copy && wanted.maxBitRate != nil)
        return VideoTrackPlan(
            segments: segments, mode: mode, reason: reason, language: first.language,
            title: first.title,
            promise: promise(
                segments, isVideo: true, rate: mode.promisedRate, packet: mode.pictureLength),
            parts: parts)
    }

    /// Returns the size limit, in bytes.
    ///
    /// nil if the source and newly encoded sound together stay below the limit, because copies then
    /// remain possible.
    private func feltLimit(_ segments: [TrackSegment], _ source: AssetDescription) -> Int64? {
        guard let limit = settings.fileLengthLimit ?? preset.sizeLimit else { return nil }
        guard segments.count == 1, let bytes = source.bytes else { return limit }
        let tracks = source.tracks.filter { $0.type == .audio }.count
        let bits = (preset.audio?.bitRatePerChannel ?? 0) * (preset.audio?.maxChannels ?? 0)
        let sound = Double(bits * tracks) / 8 * source.duration.seconds
        return Double(bytes) + sound + Self.containerBytes <= Double(limit) ? nil : limit
    }

    mutating func encoding(
        _ tracks: [PlayedTrack], _ wanted: VideoSettings, because obstacle: String
    ) throws(ExportError) -> VideoEncoding {
        guard let traits = tracks.first?.track.video, let encoder = wanted.codec.encoderName else {
            throw .unsupported(names, reason: "the preset \(preset.name) cannot encode pictures")
        }
        guard Encoder.exists(encoder) else {
            throw .unsupported(
                names,
                reason: "FFmpeg was built without \(encoder), which the preset \(preset.name) needs"
            )
        }
        try refuseDolbyVisionWithoutBase(tracks.map(\.track))
        let quality = "speed \(wanted.speed), crf \(wanted.crf.plain)"
        decide(
            "video", "encode \(wanted.codec.rawValue) with \(encoder), \(quality)",
            because: obstacle)
        let area = outputSize(traits, wanted)
        let size = codedSize(area, wanted.codec)
        let color = colors(traits, wanted)
        noteToneMapping(tracks.dropFirst(), color.tags, isNoted: color.isToneMapped)
        let timing = composes ? composedTiming(tracks, wanted) : timing(tracks, wanted)
        let rate = nominalRate(tracks, timing)
        let capped = min(rate?.doubleValue ?? 30, wanted.maxFrameRate ?? .infinity, 240)
        return VideoEncoding(
            encoder: encoder, width: size.width, height: size.height, fit: wanted.fit,
            pixelFormat: color.pixelFormat, color: color.tags, hdr: color.hdr,
            isToneMapped: color.isToneMapped, timing: timing, frameRate: rate,
            keyFrameInterval: max(1, Int((wanted.keyframeSeconds * max(1, capped)).rounded())),
            threads: settings.encoderThreads ?? 0, area: size == area ? nil : area)
    }

    /// Returns a size that the encoder accepts: smaller pictures keep their size, with black
    /// borders.
    private mutating func codedSize(_ area: FrameSize, _ codec: VideoCodec) -> FrameSize {
        let least = codec.sides.lowerBound
        let size = FrameSize(width: max(area.width, least), height: max(area.height, least))
        guard size != area else { return area }
        let choice = "\(area.width)x\(area.height) in the middle of \(size.width)x\(size.height)"
        let reason = "\(codec.encoderName ?? "") codes no side shorter than \(least) pixels"
        decide("border", choice, because: reason)
        warnings.append(
            ExportWarning(
                code: "pictureBordered", message: "black surrounds the pictures: \(reason)"))
        return size
    }

    private func refuseDolbyVisionWithoutBase(_ tracks: [AssetTrack]) throws(ExportError) {
        guard tracks.contains(where: { $0.video?.dolbyVisionProfile == 5 }) else { return }
        throw .unsupported(
            names,
            reason:
                "its pictures are Dolby Vision profile 5, which has no layer that others can show")
    }

    private mutating func outputSize(_ traits: VideoTraits, _ wanted: VideoSettings) -> FrameSize {
        let display = FrameSize(width: traits.displaySize.width, height: traits.displaySize.height)
        let size = display.framed(by: wanted, most: wanted.codec.sides.upperBound)
        decide("size", "\(size)", because: sizeReason(display, size, wanted))
        noteLosses(traits, display, size, wanted)
        if traits.orientation != .upright {
            let mirror = traits.orientation.isMirrored ? ", mirrored" : ""
            decide(
                "rotation", "turned \(traits.orientation.clockwiseDegrees)° clockwise\(mirror)",
                because: "the source asks players to turn it; the output needs no such tag")
        }
        if traits.sampleAspect.numerator != traits.sampleAspect.denominator {
            decide(
                "pixels", "made square", because: "the source's pixels are \(traits.sampleAspect)")
        }
        switch traits.scan {
        case .topFieldFirst, .bottomFieldFirst:
            decide(
                "fields", wanted.deinterlace == .auto ? "deinterlaced" : "kept woven",
                because: "the source is interlaced (\(traits.scan.rawValue))")
        case .progressive, .unknown: break
        }
        if traits.hasAlpha {
            decide("alpha", "put on black", because: "the output has no transparency")
        }
        return size
    }

    private mutating func noteLosses(
        _ traits: VideoTraits, _ display: FrameSize, _ size: FrameSize, _ wanted: VideoSettings
    ) {
        let inside = wanted.fit == .fill ? size : size.containing(display)
        if inside.width < display.width - 1, inside.height < display.height - 1 {
            losses.insert(.resolution)
        }
        if wanted.fit == .fill, !size.containing(display).isClose(to: size) {
            losses.insert(.edges)
        }
        if traits.hasAlpha { losses.insert(.alpha) }
        if traits.dolbyVisionProfile != nil { losses.insert(.dolbyVision) }
        let most = min(
            wanted.maxFrameRate ?? .infinity,
            wanted.frameRateMode == .constant
                ? wanted.frameRate?.framesPerSecond ?? .infinity : .infinity)
        if let rate = traits.plausibleRate?.doubleValue, rate > most { losses.insert(.frames) }
    }

    private func sizeReason(
        _ display: FrameSize, _ size: FrameSize, _ wanted: VideoSettings
    ) -> String {
        let most = wanted.codec.sides.upperBound
        let isHuge = max(display.width, display.height) > most
        let limits: [Int?] = [wanted.maxWidth, wanted.maxHeight].map { (limit: Int?) -> Int? in
            isHuge ? min(limit ?? most, most) : limit
        }
        let limit = limits.map { $0.map(String.init) ?? "any" }.joined(separator: "x")
        if size == display { return "the source's own, within \(limit)" }
        if abs(size.width - display.width) <= 1, abs(size.height - display.height) <= 1 {
            return "4:2:0 needs even sizes: at most one line is lost"
        }
        let isFull = "\(size)" == limit || wanted.fit == .fit
        let frame = isFull ? limit : "\(size), the shape of \(limit) without scaling up"
        let isSameShape = size.containing(display).isClose(to: size)
        return switch wanted.fit {
        case .fill where !isSameShape: "\(display) is cut to fill \(frame)"
        case .blur where !isSameShape: "\(display) goes before a blurred copy that fills \(frame)"
        case .pad where !isSameShape: "\(display) gets black borders up to \(frame)"
        case .fit, .fill, .blur, .pad: "\(display) is scaled to fit \(frame)"
        }
    }

    /// Records that high dynamic range is lost of pictures behind the first.
    private mutating func noteToneMapping(
        _ others: ArraySlice<PlayedTrack>, _ color: ColorTags, isNoted: Bool
    ) {
        guard !isNoted, !color.isHDR,
            others.contains(where: { $0.track.video?.color.isHDR ?? false })
        else { return }
        losses.insert(.highDynamicRange)
        warnings.append(
            ExportWarning(
                code: "toneMapped",
                message: "HDR pictures were tone-mapped to SDR, which the first pictures have"))
    }

    private mutating func colors(
        _ traits: VideoTraits, _ wanted: VideoSettings
    ) -> (tags: ColorTags, pixelFormat: String, hdr: HDRMetadata?, isToneMapped: Bool) {
        let keepsHDR = wanted.dynamicRange == .keep && wanted.bitDepth >= 10
        let toneMaps = traits.color.isHDR && !keepsHDR
        let isRGB = PixelFormat(named: traits.pixelFormat)?.isRGB ?? false
        let assumed = ColorPlan.assumed(
            traits.color, width: traits.width, height: traits.height, isRGB: isRGB)
        let tags = ColorPlan.output(assumed, toneMapped: toneMaps)
        let isDeep =
            (traits.bitDepth > 8 && wanted.bitDepth >= 10) || (traits.color.isHDR && keepsHDR)
        let name = [tags.primaries, tags.transfer, tags.matrix].map { $0 ?? "?" }.joined(
            separator: "/")
        let reason =
            toneMaps
            ? "HDR (\(traits.color.transfer ?? "")) is tone-mapped: the preset \(preset.name) is SDR"
            : (traits.color.matrix == nil
                ? "the source has no tags: guessed by its size" : "as the source")
        decide("colour", "\(name), \(isDeep ? 10 : 8) bit, limited range", because: reason)
        if toneMaps {
            losses.insert(.highDynamicRange)
            warnings.append(
                ExportWarning(code: "toneMapped", message: "HDR pictures were tone-mapped to SDR"))
        }
        if let profile = traits.dolbyVisionProfile {
            decide("Dolby Vision", "dropped", because: "profile \(profile): the base layer is kept")
        }
        return (tags, isDeep ? "yuv420p10le" : "yuv420p", toneMaps ? nil : traits.hdr, toneMaps)
    }
}

extension TrackMode<VideoEncoding> {
    /// Pictures per second, if the number of output pictures follows from the duration.
    fileprivate var promisedRate: Ratio? {
        guard case .encode(let encoding) = self else { return nil }
        return encoding.timing.constantRate
    }

    /// Duration of a picture if the preset sets or limits the rate; zero if the source's rate
    /// stays.
    fileprivate var pictureLength: MediaTime {
        guard case .encode(let encoding) = self else { return .zero }
        let most = encoding.timing.maximumRate.map { MediaTime(seconds: 1 / max(0.001, $0)) }
        let even = encoding.timing.constantRate.map {
            MediaTime(value: $0.denominator, timescale: $0.numerator)
        }
        return max(most ?? .zero, even ?? .zero)
    }
}

extension Double {
    /// The number as text, without decimals if it is whole.
    var plain: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

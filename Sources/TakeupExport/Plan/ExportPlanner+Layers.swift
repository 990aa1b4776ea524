internal import TakeupFFmpeg
internal import TakeupModel
internal import TakeupTimeline

extension ExportPlanner {
    /// Pictures a second if the sources have no rate.
    private static let usualRate = Ratio(30, 1)
    /// Slower pictures are no moving ones.
    private static let slowest = 10.0
    /// Highest number of pictures a second where a timeline speeds pictures up.
    private static let fastest = 120.0
    /// Rates to which the mean rate of a variable one is rounded.
    private static let usualRates = [
        Ratio(12, 1), Ratio(15, 1), Ratio(24_000, 1001), Ratio(24, 1), Ratio(25, 1),
        Ratio(30_000, 1001), Ratio(30, 1), Ratio(48, 1), Ratio(50, 1), Ratio(60_000, 1001),
        Ratio(60, 1), Ratio(120, 1),
    ]

    /// Whether pictures are laid above each other, moved, blended from one to the next, or stand still.
    var composes: Bool {
        let pictures = clips.filter(hasPictures)
        let tracks = Set(pictures.map(\.track))
        return !tracks.isEmpty && preset.video != nil
            && (tracks.count > 1 || background != nil || text.draws
                || clips.contains { clip in
                    tracks.contains(clip.track)
                        && (clip.layout ?? clip.trackLayout != nil || clip.transition != nil)
                } || pictures.contains(where: standsStill))
    }

    /// The tracks that have pictures, from the lowest on.
    func pictured(_ lines: [Line]) -> [Line] {
        let tracks = Set(clips.filter(hasPictures).map(\.track))
        return preset.video == nil ? [] : lines.filter { tracks.contains($0.track) }
    }

    /// Whether a clip takes pictures that its source has.
    private func hasPictures(_ clip: Clip) -> Bool {
        guard let source = clip.videoSource else { return false }
        return assets[source].description.tracks.contains { $0.type == .video }
    }

    /// Whether a clip's source is one picture alone, which can be shown for any time.
    func isStill(_ clip: Clip) -> Bool {
        guard let source = clip.videoSource else { return false }
        let asset = assets[source]
        let tracks = asset.description.tracks.filter { [.video, .audio].contains($0.type) }
        let container = asset.description.container
        let isPicture = container.hasSuffix("_pipe") || container == "image2"
        return tracks.count == 1 && tracks[0].type == .video
            && asset.expectedPackets[tracks[0].index] ?? (isPicture ? 1 : 0) == 1
    }

    /// Returns how long a clip may be shown: as long as its source lasts, or as is asked for of a still picture.
    func length(of clip: Clip, _ own: MediaTime) -> MediaTime {
        isStill(clip) ? max(own, clip.range?.end ?? own) : own
    }

    private func standsStill(_ clip: Clip) -> Bool {
        guard isStill(clip), let source = clip.videoSource, let end = clip.range?.end else {
            return false
        }
        return end > assets[source].description.duration
    }

    /// Plans pictures that are made of those of several sources.
    ///
    /// - Parameters:
    ///   - selections: What the clips take.
    ///   - lines: The tracks with pictures, from the lowest on.
    ///   - duration: How long the output lasts.
    /// - Returns: Nil if no source has pictures.
    /// - Throws: `ExportError` with `.unsupported`.
    mutating func planComposed(
        _ selections: [Selection], _ lines: [Line], _ duration: MediaTime
    ) throws(ExportError) -> VideoTrackPlan? {
        guard let wanted = preset.video else { return nil }
        let reason = PlanReason(.composed, "the timeline composes pictures")
        let (layers, tracks) = try layers(selections, lines)
        guard let first = tracks.first else {
            decide("video", "none", because: "the source has no pictures")
            return nil
        }
        guard wanted.codec != .copy else {
            throw .unsupported(names, reason: "\(reason.text), which no copy can be")
        }
        let encoding = try encoding(tracks, wanted, because: reason.text)
        try refuseTransparentHDR(tracks, encoding)
        let rate = encoding.timing.constantRate ?? Self.usualRate
        var composition = ComposedPictures(
            rate: rate, count: 1, background: background ?? .black, layers: layers)
        composition.count = max(1, composition.index(of: duration))
        note(composition, lines)
        try write(on: &composition, selections, lines.first?.spans ?? [], duration)
        return VideoTrackPlan(
            segments: layers.map(\.segment), mode: .encode(encoding), reason: reason,
            language: first.track.language, title: first.track.title,
            promise: promise(composed: composition), composition: composition)
    }

    /// Refuses transparency that tone-mapping would lose.
    private func refuseTransparentHDR(
        _ tracks: [PlayedTrack], _ encoding: VideoEncoding
    ) throws(ExportError) {
        let isLost = tracks.contains { played in
            played.track.video.map { $0.hasAlpha && $0.color.isHDR } ?? false
        }
        guard isLost, !encoding.color.isHDR else { return }
        throw .unsupported(
            names,
            reason: "it has transparent HDR pictures, which cannot be laid on others in SDR; "
                + "export with a preset that keeps HDR, or convert them first")
    }

    private func layers(
        _ selections: [Selection], _ lines: [Line]
    ) throws(ExportError) -> (layers: [PictureLayer], tracks: [PlayedTrack]) {
        var layers: [PictureLayer] = []
        var tracks: [PlayedTrack] = []
        let start = settings.timeRange?.start ?? .zero
        for (place, line) in lines.enumerated() {
            for span in line.spans where !span.isEmpty {
                let selection = selections[span.clip]
                guard let video = selection.video, let source = selection.clip.videoSource else {
                    throw .unsupported(
                        names,
                        reason: "some inputs of track \(line.track + 1) have pictures and others "
                            + "have none")
                }
                var layout = selection.clip.layout?.counted(from: .zero - span.begins) ?? Layout()
                if let other = selection.clip.trackLayout?.counted(from: start) {
                    layout = layout.filled(from: other)
                }
                layout.fit = layout.fit ?? fit(isLowest: place == 0, layout)
                layers.append(
                    PictureLayer(
                        track: line.track,
                        segment: segment(
                            span, selection, source: source, track: video.index, isLast: false),
                        layout: layout, enters: span.enters, leaves: span.leaves))
                var played = PlayedTrack(video, at: span.speed)
                played.isStill = isStill(selection.clip)
                tracks.append(played)
            }
        }
        return (layers, tracks)
    }

    /// How pictures go into their area if nothing is said: the lowest as the preset has it.
    private func fit(isLowest: Bool, _ layout: Layout) -> Layout.Fit {
        switch isLowest ? preset.video?.fit : nil {
        case .fill: .fill
        case .blur where layout.area?.isConstant ?? true: .blur
        default: .fit
        }
    }

    /// An even rate: the preset's, or the highest of the layers.
    mutating func composedTiming(
        _ tracks: [PlayedTrack], _ wanted: VideoSettings
    ) -> FrameTimingPlan {
        let asked = wanted.frameRateMode == .constant ? wanted.frameRate : nil
        let rates = tracks.filter { !$0.isStill }.compactMap { Self.evenRate($0) }
        let highest = rates.max { $0.doubleValue < $1.doubleValue }
        var rate = asked.map { Ratio(Int64($0.numerator), Int64($0.denominator)) } ?? highest
        if (rate?.doubleValue ?? 0) < Self.slowest, asked == nil { rate = nil }
        var even = rate ?? Self.usualRate
        let isHastened = tracks.contains { $0.speed.map { $0.doubleValue > 1 } ?? false }
        let most = min(wanted.maxFrameRate ?? .infinity, isHastened ? Self.fastest : .infinity)
        // A whole part of the rate drops pictures evenly.
        let part = (even.doubleValue / most - 1e-6).rounded(.up)
        if part > 1 { even = even.times(Ratio(1, Int64(part))) }
        if let highest, highest.doubleValue > even.doubleValue * 1.01 { losses.insert(.frames) }
        decide(
            "frame rate", "constant \(even)",
            because: asked != nil
                ? "the preset \(preset.name) asks for it"
                : rate == nil
                    ? "no picture of the timeline moves"
                    : part > 1
                        ? "a part of the highest rate of the layers, within the limit"
                        : "the highest rate of the layers")
        return FrameTimingPlan(
            timescale: Timescale.of(rate: even), grid: nil, constantRate: even, maximumRate: nil)
    }

    /// The rate of a track's pictures, rounded if they come unevenly; nil if unknown.
    private static func evenRate(_ played: PlayedTrack) -> Ratio? {
        guard let traits = played.track.video, let rate = traits.plausibleRate else { return nil }
        guard traits.frameRateMode != .constant else { return rate }
        let near = usualRates.filter { abs($0.doubleValue / rate.doubleValue - 1) < 0.05 }
        return near.min {
            abs($0.doubleValue - rate.doubleValue) < abs($1.doubleValue - rate.doubleValue)
        } ?? Ratio(max(1, Int64(rate.doubleValue.rounded(.up))), 1)
    }

    private mutating func note(_ composition: ComposedPictures, _ lines: [Line]) {
        let reason = "the timeline composes them, the first track lowest"
        for line in lines {
            let own = composition.layers.filter { $0.track == line.track }
            guard !own.isEmpty else { continue }
            let layouts = own.map { "\($0.layout)" }
            let isSame = Set(layouts).count == 1
            decide(
                "layer \(line.track + 1)",
                "\(own.count) \(own.count == 1 ? "part" : "parts"), "
                    + (isSame ? layouts[0] : "each in its own layout"), because: reason)
        }
        let transitions = composition.layers.compactMap(\.enters)
        if !transitions.isEmpty {
            let kinds = Transition.Kind.allCases.compactMap { kind in
                let count = transitions.filter { $0.kind == kind }.count
                return count == 0 ? nil : "\(count) \(kind.rawValue)"
            }
            decide(
                "transitions", kinds.joined(separator: ", "),
                because: "both pictures and both sounds are blended while they last")
        }
        if background != nil {
            decide(
                "background", "\(composition.background)",
                because: "the timeline says what is seen where no picture is")
        }
    }
}

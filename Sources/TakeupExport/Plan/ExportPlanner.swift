internal import TakeupFFmpeg
internal import TakeupTimeline

/// Plans an export from the known facts of its assets; pure, without side effects.
struct ExportPlanner {
    let assets: [InspectedAsset]
    /// The composition's clips, track by track, and black pictures where a track of pictures ends too soon.
    var clips: [Clip]
    /// The volumes of the composition's tracks that have one.
    let volumes: [Int: Volume]
    /// What is seen where no picture is; nil where nothing is said.
    let background: PictureColor?
    let preset: ExportPreset
    let settings: ExportSettings

    /// The duckings of the composition's tracks that have one.
    var duckings: [Int: Ducking] = [:]
    /// What is written on the pictures, and the composition's subtitles.
    var text = ComposedText()
    /// When the timeline ends, whatever part of it is exported; known once its tracks are placed.
    var timelineEnd = MediaTime.zero
    /// How tracks of the composition are repeated, for those that are.
    var loops: [Int: Looping] = [:]
    /// Whether sounds are mixed; nil while nobody has asked.
    var mixing: Bool?
    /// When repeated tracks end on the timeline; nil while that is not known.
    var loopEnd: MediaTime?
    /// The levels over time of the tracks under which others duck, by track; nil while they are not measured.
    var heard: [Int: [Float]]?

    /// The levels of the output's audio tracks, in their order, for a preset with a loudness.
    ///
    /// nil while they are not measured. A plan without them encodes all sound, so that it can be measured.
    var levels: [SoundLevels?]?

    /// Longer than any programme: a longer duration in a header is wrong or hostile.
    private static let longest = MediaTime(value: 1_000 * 3_600, timescale: 1)

    /// Why copies of an earlier plan proved wrong, by kind of track; these tracks are encoded.
    var objections: [MediaType: String] = [:]
    /// Where the segments of the pictures can be copied; nil if nobody has looked.
    var seams: [SegmentSeams]?
    /// What has to be examined before a plan can copy parts of the pictures; nil if nothing has.
    var seamWish: SeamWish?
    var decisions: [Decision] = []
    var dropped: [DroppedTrack] = []
    var losses: Set<PlanLoss> = []
    var warnings: [ExportWarning] = []

    init(
        assets: [InspectedAsset], clips: [Clip], volumes: [Int: Volume] = [:],
        background: PictureColor? = nil, preset: ExportPreset, settings: ExportSettings
    ) {
        self.assets = assets
        self.clips = clips
        self.volumes = volumes
        self.background = background
        self.preset = preset
        self.settings = settings
    }

    /// - Throws: `ExportError` with `.contentIsProtected`, `.unsupported` or `.invalidRequest`.
    mutating func plan() throws(ExportError) -> ExportPlan {
        try refuseProtected()
        if !preset.changes.isEmpty {
            let changes = preset.changes.map(\.description).joined(separator: ", ")
            decide(
                "preset", "\(preset.name) with \(changes)",
                because: "these fields were changed for this export")
        }
        var selections = try clips.map { (clip) throws(ExportError) in try select(clip) }
        let lines = try place(&selections)
        let spans = (pictured(lines).first ?? lines.first { $0.track == 0 })?.spans ?? []
        noteTimeline(lines.flatMap(\.spans), pictures: spans)
        let duration = lines.compactMap(\.end).max() ?? .zero
        let video =
            composes
            ? try planComposed(selections, pictured(lines), duration)
            : try planVideo(selections, spans)
        let audio = try planAudio(
            selections, lines, duration, mayTryCopies: video.map { $0.mode == .copy } ?? true)
        guard video != nil || !audio.isEmpty else {
            throw .unsupported(names, reason: nothingKept)
        }
        let subtitles = planSubtitles(selections, spans, duration)
        warnings += text.read.warnings
        guard duration <= Self.longest else {
            throw .unsupported(
                names, reason: "it lasts \(duration), beyond the limit of 1,000 hours")
        }
        let chapters = planChapters(spans, total: duration)
        let (metadata, keys) = planMetadata(spans.first)
        noteDropped(selections)
        for asset in assets { warnings += asset.description.warnings }
        let knownLoss = total(\.description.loss)
        if let loss = knownLoss {
            let isSalvaged = settings.onTruncated == .salvage
            decide(
                "source", isSalvaged ? "salvaged as far as it goes" : "refused: it is incomplete",
                because: loss.details.joined(separator: "; "))
        }
        noteCopyPolicy()
        if settings.posterPath != nil, video == nil {
            warnings.append(
                ExportWarning(
                    code: "posterNotMade", message: "sound alone has no picture for a poster"))
        }
        var plan = ExportPlan(
            sources: assets.map(\.description.name), preset: preset, container: preset.container,
            video: video, audio: audio, subtitles: subtitles,
            coverTrack: coverTrack(video), chapters: chapters, metadata: metadata,
            duration: duration, sizeLimit: settings.fileLengthLimit ?? preset.sizeLimit,
            fastStart: settings.shouldOptimizeForNetworkUse ?? preset.fastStart,
            tracks: outline(video, audio, subtitles), dropped: dropped,
            losses: PlanLoss.allCases.filter(losses.contains), decisions: decisions,
            warnings: warnings, loss: knownLoss, absent: total(\.absent),
            quickTimeKeys: keys)
        if let decision = plan.sizeDecision { plan.decisions.append(decision) }
        return plan
    }

    /// Explains why no track of the sources is left.
    private var nothingKept: String {
        let types = Set(assets.flatMap(\.description.tracks).map(\.type))
        if preset.video == nil, !types.contains(.audio) {
            return preset.container == .m4a
                ? "it has no sound, and an M4A holds nothing else"
                : "it has no sound, and the preset \(preset.name) keeps nothing else"
        }
        if preset.audio == nil, !types.contains(.video) {
            return "it has no pictures, and the preset \(preset.name) keeps nothing else"
        }
        return "the preset \(preset.name) keeps none of the tracks that it has"
    }

    var names: String { ExportPlan.names(assets.map(\.description.name)) }

    mutating func decide(_ subject: String, _ choice: String, because reason: String) {
        decisions.append(Decision(subject, choice, because: reason))
    }

    /// Records that a source track does not go into the output.
    mutating func drop(_ track: AssetTrack, of source: Int, _ reason: PlanReason) {
        decide("\(track.type.rawValue) \(track.index)", "dropped", because: reason.text)
        dropped.append(
            DroppedTrack(
                origin: TrackOrigin(source: source, track: track.index), type: track.type,
                codec: track.codec, reason: reason))
        switch track.type {
        case .audio: losses.insert(preset.audio == nil ? .audio : .audioTracks)
        case .subtitle: losses.insert(.subtitles)
        case .video where preset.video == nil: losses.insert(.video)
        case .video, .data, .picture: break
        }
    }

    private func total(_ loss: (InspectedAsset) -> LossReport?) -> LossReport? {
        let tracks = Dictionary(grouping: clips, by: \.track).sorted { $0.key < $1.key }
        return LossReport.beside(
            tracks.compactMap { _, clips in
                LossReport.inTurn(
                    clips.compactMap { clip in
                        let sources = Set([clip.videoSource, clip.audioSource].compactMap(\.self))
                        return LossReport.beside(sources.sorted().compactMap { loss(assets[$0]) })
                    })
            })
    }

    /// Warns that a copying preset cannot encode, although copies are switched off.
    private mutating func noteCopyPolicy() {
        guard settings.copy == .never, preset.video?.codec == .copy || preset.audio?.codec == .copy
        else { return }
        warnings.append(
            ExportWarning(
                code: "copyPolicyIgnored",
                message: "the preset \(preset.name) copies: switching copies off changes nothing"))
    }

    private func refuseProtected() throws(ExportError) {
        for asset in assets {
            if let reason = asset.description.protectionReason {
                throw .contentIsProtected(asset.description.name, reason: reason)
            }
            if let reason = asset.description.notPlayableReason {
                throw .unsupported(asset.description.name, reason: reason)
            }
        }
    }

    /// The tracks of one clip that go into the output.
    struct Selection {
        var clip: Clip
        var video: AssetTrack?
        var audio: [AssetTrack]
        /// The first used time of each source, by index in the list of assets.
        var zero: [Int: MediaTime]
        var duration: MediaTime
    }

    /// The part of a clip within the time range.
    struct Span {
        var clip: Int
        /// Time from the clip's start, in its source.
        var offset: MediaTime
        /// Time in the output.
        var duration: MediaTime
        var target: MediaTime
        var isWhole: Bool
        var reachesEnd: Bool
        var speed: Ratio?
        var isEmpty: Bool
        /// When its whole segment begins, by the output's time; before 0 if the range begins later.
        var begins: MediaTime
        /// How its segment replaces the one before it, and how it is replaced; nil for a cut.
        var enters: PlacedTransition?
        var leaves: PlacedTransition?
    }

    /// A track of the composition of which the preset keeps something.
    struct Line {
        var track: Int
        /// Its parts within the time range, one after another.
        var spans: [Span]

        /// When it ends in the output; nil if nothing of it is in the range.
        var end: MediaTime? { spans.last.map { $0.target + $0.duration } }
    }

    func segment(
        _ span: Span, _ selection: Selection, source: Int, track: Int?, isLast: Bool
    ) -> TrackSegment {
        var segment = TrackSegment(
            source: source, track: track,
            sourceStart: (selection.zero[source] ?? .zero) + span.offset,
            duration: span.duration, targetStart: span.target,
            isWhole: span.isWhole, mustFill: !isLast, reachesEnd: span.reachesEnd,
            speed: span.speed, isEmpty: span.isEmpty)
        segment.followsPitch = selection.clip.followsPitch
        return segment
    }
}

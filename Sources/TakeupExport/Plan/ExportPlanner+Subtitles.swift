internal import TakeupFFmpeg
internal import TakeupModel
internal import TakeupTimeline

extension ExportPlanner {
    /// What makes subtitles of several sources one track.
    private struct Kind: Hashable {
        let language: String?
        let isForced: Bool
        /// Among those of one source that are alike.
        let number: Int
    }

    /// Plans the tracks of subtitles: those of the sources, then those of files.
    ///
    /// - Parameters:
    ///   - selections: What the clips take.
    ///   - spans: The parts of the lowest track with pictures.
    ///   - duration: How long the output lasts.
    /// - Returns: The tracks; none where the preset or the container takes none.
    mutating func planSubtitles(
        _ selections: [Selection], _ spans: [Span], _ duration: MediaTime
    ) -> [SubtitleTrackPlan] {
        guard preset.container == .mp4 else {
            return dropSubtitles(PlanReason(.noPictures, "the output is sound alone"))
        }
        let shown = spans.filter { selections[$0.clip].video != nil && !$0.isEmpty }
        guard !shown.isEmpty else {
            return dropSubtitles(PlanReason(.noPictures, "the output has no pictures"))
        }
        let kept = keptSubtitles(Set(shown.compactMap { clips[$0.clip].videoSource }))
        return joined(kept, shown, selections) + files(duration)
    }

    /// Decides about each track of the sources.
    ///
    /// - Returns: The tracks that are kept, by source.
    private mutating func keptSubtitles(_ sources: Set<Int>) -> [Int: [AssetTrack]] {
        var kept: [Int: [AssetTrack]] = [:]
        for (source, asset) in assets.enumerated() {
            for track in asset.description.tracks where track.type == .subtitle {
                if !sources.contains(source) {
                    let text = "subtitles of the lowest track with pictures are kept"
                    drop(track, of: source, PlanReason(.notLowest, text))
                } else if preset.subtitles == .drop {
                    let text = "the preset \(preset.name) keeps no subtitles"
                    drop(track, of: source, PlanReason(.presetDrops, text))
                } else if !isText(track) {
                    let text = "\(track.codec) is drawn, not text: MP4 cannot carry it"
                    drop(track, of: source, PlanReason(.notText, text))
                    warnings.append(
                        ExportWarning(
                            code: "subtitleDropped",
                            message: "subtitle track \(track.index) (\(track.codec)) cannot go "
                                + "into MP4"))
                } else {
                    decide(
                        "subtitle \(track.index)", "kept as mov_text",
                        because: "MP4's own text format")
                    kept[source, default: []].append(track)
                }
            }
        }
        return kept
    }

    private func isText(_ track: AssetTrack) -> Bool {
        SubtitleConverter.isText(codec: track.codec) && track.isDecodable
    }

    /// Makes one track of those of one kind, in the order of the timeline.
    private func joined(
        _ kept: [Int: [AssetTrack]], _ spans: [Span], _ selections: [Selection]
    ) -> [SubtitleTrackPlan] {
        var plans: [(kind: Kind, plan: SubtitleTrackPlan)] = []
        for span in spans {
            guard let source = clips[span.clip].videoSource else { continue }
            var counts: [Kind: Int] = [:]
            for track in kept[source] ?? [] {
                let like = Kind(language: track.language, isForced: track.isForced, number: 0)
                counts[like, default: 0] += 1
                let kind = Kind(
                    language: track.language, isForced: track.isForced,
                    number: counts[like, default: 1])
                let part = segment(
                    span, selections[span.clip], source: source, track: track.index,
                    isLast: span.clip == spans.last?.clip)
                if let known = plans.firstIndex(where: { $0.kind == kind }) {
                    plans[known].plan.segments.append(part)
                } else {
                    plans.append(
                        (
                            kind,
                            SubtitleTrackPlan(
                                segments: [part], language: track.language, title: track.title,
                                isDefault: track.isDefault, isForced: track.isForced)
                        ))
                }
            }
        }
        return plans.map(\.plan)
    }

    private mutating func files(_ duration: MediaTime) -> [SubtitleTrackPlan] {
        var plans: [SubtitleTrackPlan] = []
        for subtitles in text.subtitles {
            guard subtitles.style == nil, let path = subtitles.source else { continue }
            let name = name(of: path)
            guard preset.subtitles != .drop else {
                let reason = "the preset \(preset.name) keeps no subtitles"
                decide("subtitles", "\(name) left out", because: reason)
                losses.insert(.subtitles)
                warnings.append(
                    ExportWarning(
                        code: "subtitleDropped", message: "\(name) is left out: \(reason)"))
                continue
            }
            let count = text.read.cues[text.place(of: path)]?.count ?? 0
            decide(
                "subtitles", "\(name), \(count) cues, as mov_text",
                because: "the timeline has them as a track")
            plans.append(plan(subtitles, path, duration))
        }
        return plans
    }

    /// The track of a file.
    func plan(
        _ subtitles: Subtitles, _ path: String, _ duration: MediaTime
    ) -> SubtitleTrackPlan {
        let zero = settings.timeRange?.start ?? .zero
        return SubtitleTrackPlan(
            segments: [], language: subtitles.language, title: subtitles.title, isDefault: false,
            isForced: false,
            file: PlacedSubtitleFile(
                file: text.place(of: path), start: subtitles.start - zero, end: duration))
    }

    /// The tracks of the sources that have a language, as one; any language without one.
    func drawnSubtitles(
        _ language: String?, _ spans: [Span], _ selections: [Selection]
    ) -> SubtitleTrackPlan? {
        var kept: [Int: [AssetTrack]] = [:]
        for source in Set(spans.compactMap { clips[$0.clip].videoSource }) {
            let tracks = assets[source].description.tracks.filter {
                $0.type == .subtitle && isText($0) && $0.language == language ?? $0.language
            }
            // Parts may have tracks that differ in their marks: the first of each is drawn.
            kept[source] = tracks.first.map { [$0] }
        }
        let shown = spans.filter { selections[$0.clip].video != nil && !$0.isEmpty }
        let all = joined(kept, shown, selections)
        guard var plan = all.first else { return nil }
        plan.segments = all.flatMap(\.segments).sorted { $0.targetStart < $1.targetStart }
        return plan
    }

    func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    private mutating func dropSubtitles(_ reason: PlanReason) -> [SubtitleTrackPlan] {
        for (source, asset) in assets.enumerated() {
            for track in asset.description.tracks where track.type == .subtitle {
                drop(track, of: source, reason)
            }
        }
        for subtitles in text.subtitles where subtitles.style == nil {
            decide(
                "subtitles", "\(name(of: subtitles.source ?? "")) left out", because: reason.text)
        }
        if text.draws, preset.video == nil {
            decide("titles", "left out", because: "the output has no pictures")
        }
        return []
    }
}

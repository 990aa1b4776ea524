internal import TakeupTimeline

extension ExportPlanner {
    mutating func select(_ clip: Clip) throws(ExportError) -> Selection {
        let video = try selectVideo(clip)
        let audio = try selectAudio(clip)
        var zero: [Int: MediaTime] = [:]
        var ends: [MediaTime] = []
        var tracksBySource: [Int: [AssetTrack]] = [:]
        if let source = clip.videoSource, let video {
            tracksBySource[source, default: []].append(video)
        }
        if let source = clip.audioSource { tracksBySource[source, default: []] += audio }
        try refuseMissing(clip, video, audio)
        for (source, tracks) in tracksBySource {
            let counted =
                clip.keepsSourceClock
                ? assets[source].description.tracks.filter { [.video, .audio].contains($0.type) }
                : tracks
            guard let start = counted.map(\.startTime).min(), !tracks.isEmpty else { continue }
            zero[source] = start
            let fallback = start + assets[source].description.duration
            ends += tracks.map {
                ($0.duration.map { [start = $0.startTime] in start + $0 } ?? fallback) - start
            }
        }
        return Selection(
            clip: clip, video: video, audio: audio, zero: zero,
            duration: clip.empty ?? ends.max() ?? .zero)
    }

    /// Whether sounds are summed or their volume changes; looked for once, as each clip asks.
    private mutating func mixes() -> Bool {
        if let mixing { return mixing }
        let sounds = clips.filter { $0.audioSource != nil }
        let found =
            Set(sounds.map(\.track)).count > 1 || !volumes.isEmpty || !loops.isEmpty
            || sounds.contains { $0.transition != nil }
        mixing = found
        return found
    }

    /// Refuses a source without what a track takes of it alone.
    private func refuseMissing(
        _ clip: Clip, _ video: AssetTrack?, _ audio: [AssetTrack]
    ) throws(ExportError) {
        guard clip.keepsSourceClock, clip.empty == nil else { return }
        let kind: String? =
            if clip.videoSource == nil, preset.audio != nil, audio.isEmpty {
                "sound"
            } else if clip.audioSource == nil, preset.video != nil, video == nil {
                "pictures"
            } else {
                nil
            }
        guard let kind, let source = clip.audioSource ?? clip.videoSource else { return }
        throw .unsupported(
            assets[source].description.name,
            reason:
                "it has no \(kind), but track \(clip.track + 1) of the timeline takes its \(kind)")
    }

    private mutating func selectVideo(_ clip: Clip) throws(ExportError) -> AssetTrack? {
        guard preset.video != nil, let source = clip.videoSource else { return nil }
        let asset = assets[source].description
        let tracks = asset.tracks.filter { $0.type == .video }
        guard !tracks.isEmpty else { return nil }
        let usable = tracks.filter { $0.isDecodable || preset.video?.codec == .copy }
        guard let best = usable.max(by: { area($0) < area($1) }) else {
            throw .unsupported(
                asset.name,
                reason: "its video (\(tracks[0].codec)) cannot be decoded here")
        }
        guard best.isDecodable || best.video == nil || area(best) > 0 else {
            throw .unsupported(
                asset.name,
                reason: "its video (\(best.codec)) can be neither decoded nor copied: what tells "
                    + "its size and form, such as parameter sets, is missing")
        }
        let first = usable.first { area($0) == area(best) } ?? best
        if tracks.count > 1 {
            decide(
                "video", "track \(first.index) of \(tracks.count)",
                because: "the largest picture is the main one")
        }
        return first
    }

    private func area(_ track: AssetTrack) -> Int {
        (track.video?.width ?? 0) * (track.video?.height ?? 0)
    }

    private mutating func selectAudio(_ clip: Clip) throws(ExportError) -> [AssetTrack] {
        guard let wanted = preset.audio, let source = clip.audioSource else { return [] }
        let asset = assets[source].description
        let tracks = asset.tracks.filter { $0.type == .audio }
        let usable = tracks.filter {
            $0.isDecodable || (wanted.codec == .copy && $0.codec != "unknown")
        }
        for track in tracks where !usable.contains(track) {
            drop(
                track, of: source,
                PlanReason(.notDecodable, "\(track.codec) cannot be decoded here"))
        }
        if !tracks.isEmpty, usable.isEmpty, preset.video == nil || clip.videoSource == nil {
            throw .unsupported(
                asset.name, reason: "its sound (\(tracks[0].codec)) cannot be decoded here")
        }
        switch mixes() ? .first : wanted.tracks {
        case .all: return usable
        case .first:
            let flagged = usable.filter(\.isDefault)
            let chosen = flagged.count == 1 ? flagged[0] : usable.first
            for track in usable where track != chosen {
                let kept = flagged.count == 1 ? "the default one" : "the first"
                let who = mixes() ? "a mix" : "the preset \(preset.name)"
                let text = "\(who) keeps one audio track, \(kept)"
                drop(track, of: source, PlanReason(.oneTrackKept, text))
            }
            return chosen.map { [$0] } ?? []
        }
    }

    mutating func noteDropped(_ selections: [Selection]) {
        for (place, asset) in assets.enumerated() {
            for track in asset.description.tracks {
                note(track, of: place, selections)
            }
        }
    }

    private mutating func note(_ track: AssetTrack, of source: Int, _ selections: [Selection]) {
        switch track.type {
        case .data:
            let name = track.codecTag ?? track.codec
            let text = "data of the kind '\(name)' is not carried"
            drop(track, of: source, PlanReason(.notMedia, text))
        case .video:
            let isUsed = selections.contains {
                $0.clip.videoSource == source && $0.video?.index == track.index
            }
            if isUsed { break }
            let isSoundAlone = preset.container == .m4a
            let text =
                preset.video == nil
                ? (isSoundAlone
                    ? "the output is sound alone" : "the preset \(preset.name) keeps no pictures")
                : "one video track is kept"
            drop(
                track, of: source,
                PlanReason(preset.video == nil ? .presetDrops : .oneTrackKept, text))
        case .audio where preset.audio == nil:
            let text = "the preset \(preset.name) keeps no sound"
            drop(track, of: source, PlanReason(.presetDrops, text))
        case .audio, .subtitle, .picture: break
        }
    }
}

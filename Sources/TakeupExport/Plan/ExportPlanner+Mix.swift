internal import TakeupTimeline

extension ExportPlanner {
    /// Plans the sum of several tracks of sound, or one at another volume.
    ///
    /// - Parameters:
    ///   - lines: The tracks, each with sound.
    ///   - selections: What the clips take.
    ///   - wanted: The preset's limits.
    ///   - duration: How long the output lasts; every track is filled up with silence.
    /// - Returns: One audio track.
    /// - Throws: `ExportError` with `.unsupported` if the preset can only copy.
    mutating func planMix(
        _ lines: [Line], _ selections: [Selection], _ wanted: AudioSettings, _ duration: MediaTime
    ) throws(ExportError) -> AudioTrackPlan {
        let reason = PlanReason(
            .mixed,
            lines.count > 1
                ? "the timeline mixes \(lines.count) tracks of sound"
                : "the timeline changes the volume of the sound")
        guard wanted.codec != .copy else {
            throw .unsupported(names, reason: "\(reason.text), which no copy can be")
        }
        let start = settings.timeRange?.start ?? .zero
        let mix = lines.map { line in
            MixedTrack(
                track: line.track, segments: filled(line, selections, duration),
                volume: (volumes[line.track] ?? Volume()).counted(from: start),
                ducking: ducking(of: line.track))
        }
        decide(
            "mix", mix.map { "track \($0.track + 1) at \($0.volume)" }.joined(separator: ", "),
            because: reason.text)
        for track in mix {
            guard let times = track.ducking.map({ $0.ramps.count / 2 }),
                let rule = duckings[track.track]
            else { continue }
            decide(
                "ducking",
                "track \(track.track + 1) is lowered \(times == 1 ? "once" : "\(times) times")",
                because: "track \(rule.under + 1) is heard over it")
        }
        let tracks = lines.flatMap(\.spans).compactMap { selections[$0.clip].audio.first }
        let mode = TrackMode.encode(encoding(tracks, wanted, "audio", because: reason.text))
        return AudioTrackPlan(
            segments: mix.flatMap(\.segments), mix: mix, mode: mode, reason: reason,
            language: tracks.first?.language, title: lines.count > 1 ? nil : tracks.first?.title,
            isDefault: true, promise: promise(mix: duration, packet: mode.packetLength))
    }

    /// Computes where a track is lowered; nil without a ducking, or while the other track is not measured.
    private func ducking(of track: Int) -> Volume? {
        guard let rule = duckings[track], let heard else { return nil }
        return rule.volume(under: heard[rule.under] ?? [])
    }

    /// Returns a track's segments, all of an exact length, and silence behind them.
    private func filled(
        _ line: Line, _ selections: [Selection], _ duration: MediaTime
    ) -> [TrackSegment] {
        var segments = line.spans.map { span in
            let selection = selections[span.clip]
            return segment(
                span, selection, source: selection.clip.audioSource ?? 0,
                track: selection.audio.first?.index, isLast: false)
        }
        let end = line.end ?? .zero
        if end < duration {
            segments.append(
                TrackSegment(
                    source: 0, sourceStart: .zero, duration: duration - end, targetStart: end,
                    isWhole: false, mustFill: true, reachesEnd: false, isEmpty: true))
        }
        return segments
    }
}

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
                : volumes[lines[0].track] != nil || loops[lines[0].track] != nil
                    ? "the timeline changes the volume of the sound"
                    : "the timeline cross-fades the sound")
        guard wanted.codec != .copy else {
            throw .unsupported(names, reason: "\(reason.text), which no copy can be")
        }
        let start = settings.timeRange?.start ?? .zero
        let mix = lines.flatMap { line in
            rolls(line.spans).map { spans in
                MixedTrack(
                    track: line.track, segments: filled(spans, selections, duration),
                    volume: (volumes[line.track] ?? Volume()).counted(from: start),
                    ducking: ducking(of: line.track),
                    fades: fades(spans) ?? fadeOut(of: line, from: start))
            }
        }
        decide(
            "mix",
            lines.map { line in
                let volume = (volumes[line.track] ?? Volume()).counted(from: start)
                return "track \(line.track + 1) at \(volume)"
            }.joined(separator: ", "), because: reason.text)
        for line in lines {
            guard let times = ducking(of: line.track).map({ $0.ramps.count / 2 }),
                let rule = duckings[line.track]
            else { continue }
            decide(
                "ducking",
                "track \(line.track + 1) is lowered \(times == 1 ? "once" : "\(times) times")",
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

    /// Whether the sound of a track changes in volume, or two of its segments are heard together.
    func isMixed(_ line: Line) -> Bool {
        volumes[line.track] != nil || loops[line.track] != nil
            || line.spans.contains { $0.enters != nil || $0.leaves != nil }
    }

    /// Divides a track so that no two segments of a part are heard together.
    private func rolls(_ spans: [Span]) -> [[Span]] {
        var rolls: [[Span]] = [[], []]
        var (roll, place) = (0, spans.first.map { clips[$0.clip].place })
        for span in spans {
            // Two segments may begin at the same time: one as long as its transition, and the next.
            if clips[span.clip].place != place, span.enters != nil { roll = 1 - roll }
            place = clips[span.clip].place
            rolls[roll].append(span)
        }
        return rolls.filter { !$0.isEmpty }
    }

    /// How loud the cross-fades of a part of a track make it; nil without any.
    private func fades(_ spans: [Span]) -> Volume? {
        var ramps: [Volume.Ramp] = []
        var place: Int?
        for span in spans where clips[span.clip].place != place {
            place = clips[span.clip].place
            for (transition, from, to) in [(span.enters, 0.0, 1.0), (span.leaves, 1.0, 0.0)] {
                guard let transition else { continue }
                ramps.append(
                    Volume.Ramp(
                        start: transition.start, duration: transition.duration, from: from, to: to))
            }
        }
        return ramps.isEmpty ? nil : Volume(ramps: ramps)
    }

    /// Returns a track's segments, all of an exact length, and silence between and behind them.
    private func filled(
        _ spans: [Span], _ selections: [Selection], _ duration: MediaTime
    ) -> [TrackSegment] {
        var segments: [TrackSegment] = []
        var end = MediaTime.zero
        func fill(to time: MediaTime) {
            guard end < time else { return }
            segments.append(
                TrackSegment(
                    source: 0, sourceStart: .zero, duration: time - end, targetStart: end,
                    isWhole: false, mustFill: true, reachesEnd: false, isEmpty: true))
        }
        for span in spans {
            fill(to: span.target)
            let selection = selections[span.clip]
            segments.append(
                segment(
                    span, selection, source: selection.clip.audioSource ?? 0,
                    track: selection.audio.first?.index, isLast: false))
            end = span.target + span.duration
        }
        fill(to: duration)
        return segments
    }
}

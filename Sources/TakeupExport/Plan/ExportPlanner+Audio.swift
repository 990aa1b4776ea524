internal import TakeupFFmpeg
internal import TakeupTimeline

extension ExportPlanner {
    mutating func planAudio(
        _ selections: [Selection], _ lines: [Line], _ duration: MediaTime, mayTryCopies: Bool
    ) throws(ExportError) -> [AudioTrackPlan] {
        guard let wanted = preset.audio else { return [] }
        let sounding = lines.filter { line in
            line.spans.contains { !selections[$0.clip].audio.isEmpty }
        }
        if sounding.count > 1 || sounding.contains(where: { isMixed($0) }) {
            var plan = try planMix(sounding, selections, wanted, duration)
            plan.loudness = planLoudness(0, "audio", wanted)
            return [plan]
        }
        let spans = sounding.first?.spans ?? []
        let used = spans.map { selections[$0.clip] }
        let count = used.map(\.audio.count).max() ?? 0
        if count == 0 {
            let isTaken = clips.contains { $0.audioSource != nil }
            decide(
                "audio", "none",
                because: isTaken ? "the source has no sound" : "the timeline takes no sound")
        }
        var plans: [AudioTrackPlan] = []
        for place in 0..<count {
            plans.append(try planAudio(place, wanted, selections, spans, mayTryCopies))
        }
        if !plans.isEmpty, !plans.contains(where: \.isDefault) { plans[0].isDefault = true }
        for place in plans.indices.dropFirst() where plans[0].isDefault {
            plans[place].isDefault = false
        }
        return plans
    }

    private mutating func planAudio(
        _ place: Int, _ wanted: AudioSettings, _ selections: [Selection], _ spans: [Span],
        _ mayTryCopies: Bool
    ) throws(ExportError) -> AudioTrackPlan {
        let tracks = spans.map { span in
            let audio = selections[span.clip].audio
            return place < audio.count ? audio[place] : (spans.count > 1 ? audio.first : nil)
        }
        guard let track = tracks.compactMap({ $0 }).first else {
            preconditionFailure("an audio track has a source")
        }
        let segments = spans.enumerated().map { index, span in
            let selection = selections[span.clip]
            return segment(
                span, selection, source: selection.clip.audioSource ?? 0,
                track: tracks[index]?.index, isLast: index == spans.count - 1)
        }
        let subject = place == 0 ? "audio" : "audio \(place + 1)"
        let rules = AudioCopyRules(
            settings: wanted, container: preset.container, policy: settings.copy,
            salvages: settings.onTruncated == .salvage, mayTry: mayTryCopies,
            objection: objections[.audio])
        let mode: TrackMode<AudioEncoding>
        var reason = PlanReason.copied(by: preset, copies: wanted.codec == .copy)
        var loudness: LoudnessPlan?
        if let obstacle = obstacle(
            segments, tracks, copies: wanted.codec == .copy, rules.obstacle)
            ?? loudnessObstacle(place, subject, wanted)
        {
            if wanted.codec == .copy { throw .unsupported(names, reason: obstacle.text) }
            let found = tracks.compactMap { $0 }
            mode = .encode(encoding(found, wanted, subject, because: obstacle.text))
            reason = obstacle
            loudness = planLoudness(place, subject, wanted)
        } else {
            decide(subject, "copy \(track.codec)", because: reason.text)
            mode = .copy
            // A size limit may have it encoded after all.
            loudness = self.loudness(of: place, wanted)
        }
        noteRate(track, subject, isLimited: wanted.codec != .copy && track.codec == "aac")
        return AudioTrackPlan(
            segments: segments, loudness: loudness, mode: mode, reason: reason,
            language: track.language, title: track.title, isDefault: track.isDefault,
            promise: promise(segments, isVideo: false, rate: nil, packet: mode.packetLength))
    }

    mutating func encoding(
        _ tracks: [AssetTrack], _ wanted: AudioSettings, _ subject: String, because obstacle: String
    ) -> AudioEncoding {
        let traits = tracks.compactMap(\.audio)
        let encoding = AudioEncoding(traits, wanted)
        let channels = encoding.channels
        decide(
            subject,
            "encode aac \(encoding.channelLayout), \(encoding.sampleRate) Hz, "
                + "\(encoding.bitRate / 1000) kb/s", because: obstacle)
        let most = traits.map(\.channels).max() ?? 2
        if channels < most { losses.insert(.channels) }
        if channels < most, let widest = traits.first(where: { $0.channels == most }) {
            decide(
                subject,
                "mixed down from \(most) to \(channels) channels\(lowered(widest, encoding))",
                because: "the preset \(preset.name) has at most \(wanted.maxChannels)")
        }
        return encoding
    }

    /// Describes how much a mix lowers the level, so that full scale on all channels does not clip.
    private func lowered(_ traits: AudioTraits, _ encoding: AudioEncoding) -> String {
        let chain = SoundChain(
            format: AudioFormat(
                sampleRate: traits.sampleRate, sampleFormat: .floatPlanar,
                layout: ChannelLayout(channels: traits.channels, name: traits.channelLayout)),
            encoding: encoding)
        let tenths = Int((chain.attenuation * 10).rounded())
        return tenths > 0 ? ", \(tenths / 10).\(tenths % 10) dB lower so that nothing clips" : ""
    }
}

extension TrackMode<AudioEncoding> {
    /// Duration of an encoder's packet; zero for a copy.
    var packetLength: MediaTime {
        guard case .encode(let encoding) = self else { return .zero }
        return MediaTime(value: 1024, timescale: Int64(encoding.sampleRate))
    }
}

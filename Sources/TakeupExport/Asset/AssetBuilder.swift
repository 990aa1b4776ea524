internal import TakeupFFmpeg
internal import TakeupTimeline

/// Judges the facts of an inspection: tracks, times, losses, exportable content.
struct AssetBuilder {
    /// Longest time that pictures may be shown beyond the duration in decoding order.
    private static let reorderSpan = MediaTime(value: 1, timescale: 1)

    let facts: InspectionFacts

    init(_ facts: InspectionFacts) {
        self.facts = facts
    }

    func build() -> InspectedAsset {
        let tracks = facts.streams.map(track)
        let usable = tracks.filter { isUsable($0) }
        let start = usable.map(\.startTime).min() ?? .zero
        let end = usable.compactMap { track in track.duration.map { track.startTime + $0 } }.max()
        let declared = facts.declaredDuration.map { start + $0 }
        var description = AssetDescription(
            name: facts.name, container: facts.container, bytes: facts.byteCount,
            duration: max(.zero, (end ?? declared ?? start) - start), startTime: start,
            tracks: tracks, chapters: chapters(from: start), metadata: facts.metadata,
            warnings: warnings(tracks))
        let finder = LossFinder(facts, tracks: usable)
        let (loss, absent) = finder.find()
        description.loss = loss
        description.warnings += finder.warnings() + openingWarnings() + soundWarnings(tracks)
        description.protectionReason = protection(tracks)
        description.notPlayableReason = notPlayable(tracks, usable)
        description.notExportableReason =
            description.protectionReason ?? description.notPlayableReason
        return InspectedAsset(
            description: description, streams: facts.streams,
            timeline: facts.scan?.timeline ?? .straight, expectedPackets: expectedPackets,
            undecodableHead: undecodableHead, openings: openings,
            holes: facts.scan?.holes.filter { !$0.value.isEmpty } ?? [:],
            hiddenPackets: facts.indexes.mapValues(\.hidden),
            lacksTimestamps: facts.lacksTimestamps, hasPresentationTimes: presentationTimes,
            isContinuous: isContinuous, untimedSound: Set(facts.wrongSoundTimes.keys),
            keepsOrder: Set(facts.scan?.streams.filter(\.value.keepsOrder).map(\.key) ?? []),
            isSeekable: !facts.lacksTimestamps && facts.scan?.timeline.isStraight ?? true
                && !seeksByByteRate,
            firstFrames: facts.firstFrames, landsWithinPackets: facts.mayJump,
            variedEntries: facts.variedEntries,
            longestSteps: longestSteps, trackBytes: trackBytes,
            statedFrames: facts.statedFrames, picturesBeforeSpace: facts.picturesBeforeSpace,
            absent: absent)
    }

    /// Containers that FFmpeg seeks by a number of bytes a second.
    private static let byteRateContainers: Set = ["wav", "w64", "aiff", "au"]

    /// Whether a seek lands at a wrong time: headers state that number only roughly for compressed sound.
    private var seeksByByteRate: Bool {
        Self.byteRateContainers.contains(facts.container)
            && facts.streams.contains { $0.kind == .audio && !$0.codec.hasPrefix("pcm_") }
    }

    private var trackBytes: [Int: Int64] {
        if let scan = facts.scan { return scan.streams.mapValues(\.bytes) }
        if facts.sample?.isWhole == true { return facts.sample?.tracks.mapValues(\.bytes) ?? [:] }
        return facts.indexes.compactMapValues { $0.entries > 0 ? $0.bytes : nil }
    }

    private var longestSteps: [Int: MediaTime] {
        if let scan = facts.scan { return scan.streams.mapValues(\.longestStep) }
        return facts.indexes.compactMapValues { $0.entries > 1 ? $0.longestStep : nil }
    }

    /// Presentation times of the first keyframes, for tracks that begin within a GOP.
    private var openings: [Int: MediaTime] {
        guard facts.scan?.timeline.isStraight ?? true else { return [:] }
        var openings: [Int: MediaTime] = [:]
        for stream in facts.streams where stream.kind == .video {
            openings[stream.index] = facts.openings[stream.index]?.time(
                stream.timeBase, decodedFirst: facts.firstFrames[stream.index])
        }
        return openings
    }

    private var undecodableHead: [Int: Int] {
        let openings = self.openings
        return facts.openings.mapValues(\.undecodable).filter {
            facts.mayJump || facts.lacksTimestamps || openings[$0.key] != nil
        }
    }

    private var expectedPackets: [Int: Int] {
        if let scan = facts.scan { return scan.streams.mapValues(\.packets) }
        return facts.indexes.compactMapValues { $0.entries > 0 ? $0.entries : nil }
    }

    /// A single gap is enough for a no; a yes needs all packets.
    private var isContinuous: [Int: Bool] {
        if let scan = facts.scan { return scan.streams.mapValues(\.continuity.isKept) }
        guard let sample = facts.sample else { return [:] }
        return sample.tracks.mapValues(\.continuity.isKept).filter { sample.isWhole || !$0.value }
    }

    /// Whether each track has presentation times.
    ///
    /// AVI and raw streams have only decoding order, as have some programme streams of small
    /// pictures.
    private var presentationTimes: [Int: Bool] {
        let lacks =
            facts.lacksTimestamps || facts.container == "avi" || facts.clockFault == .beforeZero
        return Dictionary(
            uniqueKeysWithValues: facts.streams.map { stream in
                guard let scan = facts.scan?.streams[stream.index] else {
                    return (stream.index, !lacks)
                }
                let isVague =
                    (facts.container == "mpeg" ? scan.hasVaguePictures : scan.hasVagueKeys)
                    && stream.reorderDelay > 0
                return (stream.index, !lacks && scan.hasTimestamps && !isVague)
            })
    }

    private func isUsable(_ track: AssetTrack) -> Bool {
        guard track.type == .video || track.type == .audio else { return false }
        return track.isDecodable && !track.isProtected
    }

    private func track(_ stream: StreamDescription) -> AssetTrack {
        let first = facts.firstFrames[stream.index]
        let kind = type(stream)
        let isMedia = kind == .video || kind == .audio
        let start = startTime(stream, first)
        let (bitRate, origin) = BitRate.measured(stream, facts)
        return AssetTrack(
            index: stream.index, type: kind, codec: stream.codec, codecTag: stream.codecTag,
            profile: stream.profile,
            isDecodable: isMedia ? first != nil : stream.hasDecoder,
            isProtected: stream.isEncrypted || facts.encrypted.contains(stream.index),
            startTime: start, duration: duration(stream, from: start),
            declaredSamples: stream.declaredPackets, bitRate: bitRate, bitRateOrigin: origin,
            language: language(stream), title: stream.metadata["title"],
            isDefault: stream.isDefault, isForced: stream.isForced,
            timeBase: stream.timeBase.ratio,
            video: kind == .video || kind == .picture ? VideoTraits(stream, first, facts) : nil,
            audio: kind == .audio ? AudioTraits(stream, first) : nil)
    }

    private func type(_ stream: StreamDescription) -> MediaType {
        if stream.isAttachedPicture { return .picture }
        switch stream.kind {
        case .video: return .video
        case .audio: return .audio
        case .subtitle: return .subtitle
        case .data, .attachment, .unknown: return .data
        }
    }

    private func language(_ stream: StreamDescription) -> String? {
        guard let language = stream.metadata["language"], language != "und" else { return nil }
        return language
    }

    private func startTime(_ stream: StreamDescription, _ first: FirstFrame?) -> MediaTime {
        if facts.lacksTimestamps { return .zero }
        if let opening = openings[stream.index] { return max(opening, first?.time ?? opening) }
        if let scan = facts.scan?.streams[stream.index], let start = scan.start {
            guard let time = first?.time, time > start, facts.wrongSoundTimes[stream.index] == nil,
                facts.scan?.timeline.isStraight == true
            else { return start }
            return time
        }
        return first?.time ?? stream.startTicks.map { stream.timeBase.time($0) } ?? .zero
    }

    private func duration(_ stream: StreamDescription, from start: MediaTime) -> MediaTime? {
        if facts.lacksTimestamps {
            let sound = stream.kind == .audio ? facts.scan?.streams[stream.index]?.totalLength : nil
            if let sound, sound > .zero { return sound }
            guard let scan = facts.scan?.streams[stream.index], stream.kind == .video,
                let rate = stream.nominalFrameRate ?? stream.averageFrameRate
            else { return nil }
            return MediaTime(
                value: Int64(scan.packets) * rate.denominator, timescale: rate.numerator)
        }
        if facts.wrongSoundTimes[stream.index] != nil {
            return facts.scan.flatMap { $0.streams[stream.index]?.totalLength }.flatMap {
                $0 > .zero ? $0 : nil
            }
        }
        if let end = facts.scan?.streams[stream.index]?.end {
            return max(
                .zero, end - start + shownLater(stream, start) + facts.unstatedLength(stream))
        }
        if let ticks = stream.durationTicks, ticks > 0 {
            let begin = stream.startTicks.map { stream.timeBase.time($0) } ?? start
            return shown(stream, max(.zero, begin + stream.timeBase.time(ticks) - start), start)
        }
        // Matroska's duration counts from 0, not from the first packet.
        if facts.isMatroska, let declared = facts.declaredDuration, declared > start, start > .zero
        {
            return declared - start
        }
        return facts.declaredDuration
    }

    /// Returns the presentation delay of pictures without presentation times, as in AVI, from the
    /// first picture.
    private func shownLater(_ stream: StreamDescription, _ start: MediaTime) -> MediaTime {
        guard stream.kind == .video, let scan = facts.scan?.streams[stream.index],
            scan.hasVagueKeys, let first = scan.start, let length = scan.shortestLength
        else { return .zero }
        let most = MediaTime(
            value: length.value * Int64(stream.reorderDelay), timescale: length.timescale)
        return min(max(.zero, start - first), most)
    }

    /// Returns how long pictures are shown: a movie's duration in decoding order may end before the
    /// last picture.
    private func shown(
        _ stream: StreamDescription, _ length: MediaTime, _ start: MediaTime
    ) -> MediaTime {
        guard facts.isMovie, stream.kind == .video, stream.reorderDelay > 0,
            let declared = facts.declaredDuration
        else { return length }
        // The movie's duration starts with its earliest track; this track may begin later.
        let rest = declared - max(.zero, start)
        return rest > length && rest - length <= Self.reorderSpan ? rest : length
    }

    private func chapters(from start: MediaTime) -> [Chapter] {
        facts.chapters.enumerated().map { place, chapter in
            Chapter(
                start: max(.zero, chapter.start - start), end: max(.zero, chapter.end - start),
                title: chapter.title ?? "Chapter \(place + 1)")
        }
    }

    private func warnings(_ tracks: [AssetTrack]) -> [ExportWarning] {
        tracks.compactMap { track in
            guard track.type == .video || track.type == .audio, !track.isDecodable,
                !track.isProtected
            else { return nil }
            let reason =
                facts.decoderFailures[track.index].map { ": \($0)" }
                ?? (facts.indexes[track.index]?.entries == 0 ? ": it is empty" : "")
            return ExportWarning(
                code: "trackUndecodable",
                message: "track \(track.index) (\(track.type.rawValue), \(track.codec)) "
                    + "cannot be decoded\(reason)")
        }
    }

    private func openingWarnings() -> [ExportWarning] {
        let openings = self.openings
        return facts.streams.compactMap { stream in
            guard let opening = openings[stream.index],
                let first = facts.openings[stream.index]?.earliestTicks
            else { return nil }
            let lost = opening - stream.timeBase.time(first)
            guard lost > .zero else { return nil }
            return ExportWarning(
                code: "beginsMidway",
                message: "track \(stream.index) (video) begins within a group of pictures: it is "
                    + "shown from its first keyframe on, \(lost) later")
        }
    }

    private func soundWarnings(_ tracks: [AssetTrack]) -> [ExportWarning] {
        tracks.compactMap { track in
            guard let fault = facts.wrongSoundTimes[track.index] else { return nil }
            return ExportWarning(
                code: "soundTimesWrong",
                message: "the times of track \(track.index) (audio, \(track.codec)) are wrong: "
                    + "\(fault). They are not used: its blocks follow one another without gaps")
        }
    }

    private func protection(_ tracks: [AssetTrack]) -> String? {
        guard let track = tracks.first(where: { $0.isProtected }) else { return facts.protection }
        return "track \(track.index) (\(track.type.rawValue)) is encrypted"
    }

    private func notPlayable(_ tracks: [AssetTrack], _ usable: [AssetTrack]) -> String? {
        guard usable.isEmpty else { return nil }
        let media = tracks.filter { $0.type == .video || $0.type == .audio }
        guard !media.isEmpty else { return "it holds neither video nor audio" }
        let names = media.map { "\($0.type.rawValue) (\($0.codec))" }.joined(separator: ", ")
        return "none of its tracks can be decoded: \(names)"
    }
}

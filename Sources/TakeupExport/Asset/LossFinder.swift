internal import TakeupFFmpeg
internal import TakeupTimeline

/// Detects from container and packets, without decoding, whether a source is truncated or damaged.
struct LossFinder {
    /// How much longer than the packets a header's duration may be without counting as a loss.
    private static let slack = MediaTime(value: 1, timescale: 2)

    /// The limit for a file known to be truncated: one and a half pictures at 25 per second.
    static let frame = MediaTime(value: 60, timescale: 1000)

    /// A header's duration that exceeds the existing media by this factor is wrong; the file is not
    /// short.
    private static let implausible = 1000.0

    /// Durations that writers store if the real one is unknown.
    ///
    /// - Note: Source: ISO/IEC 14496-12 §8.2.2: all ones.
    private static let unknown: Set<Int64> = [0xFFFF_FFFF, 0x7FFF_FFFF, .max]

    let facts: InspectionFacts
    let tracks: [AssetTrack]

    init(_ facts: InspectionFacts, tracks: [AssetTrack]) {
        self.facts = facts
        self.tracks = tracks
    }

    /// Warnings about oddities in a source without a known loss.
    func warnings() -> [ExportWarning] {
        var warnings: [ExportWarning] = []
        if facts.isBroadcast, facts.fault == .cut {
            warnings.append(
                ExportWarning(
                    code: "cutPacket",
                    message: "the stream begins or ends within a packet, a picture or a piece of "
                        + "sound: it was cut there"))
        }
        if let promise = implausiblePromise {
            warnings.append(
                ExportWarning(
                    code: "implausibleDuration",
                    message:
                        "the header promises \(promise), which nothing else in the file bears out"))
        }
        if facts.timecodeJumps.places > 0 {
            let (places, skipped) = (facts.timecodeJumps.places, facts.timecodeJumps.skipped)
            warnings.append(
                ExportWarning(
                    code: "timecodeJumps",
                    message:
                        "the timecode jumps ahead \(places == 1 ? "once" : "\(places) times"), "
                        + "by \(skipped): the recording was stopped there, or pictures are missing")
            )
        }
        if let place = facts.followingPicture {
            warnings.append(
                ExportWarning(
                    code: "unknownTail",
                    message: "another picture begins at byte \(place): only the first is read"))
        }
        warnings += (facts.scan?.census.extras ?? []).map {
            ExportWarning(
                code: "streamLeftOut",
                message: "\($0.name) begins midway, beside another one that goes on: it is left out"
            )
        }
        return warnings + holes()
    }

    /// Reports streams that replace others in the middle of the source, or first appear in the
    /// middle.
    private func lostStreams() -> LossReport? {
        let lost = facts.scan?.census.successors ?? []
        guard let longest = lost.map(\.length).max() else { return nil }
        return LossReport(
            lostSeconds: longest,
            details: lost.map {
                "\($0.name) begins midway, where nothing else of its kind goes on: its \($0.packets) "
                    + "packets are left out"
            }, isTruncated: false)
    }

    /// Warns of the gaps in a broadcast; a gap in several streams is reported once.
    private func holes() -> [ExportWarning] {
        guard let scan = facts.scan else { return [] }
        var told: [SourceHole] = []
        let start = scan.streams.values.compactMap(\.start).min() ?? .zero
        for hole in scan.holes.values.flatMap(\.self).sorted(by: { $0.start < $1.start }) {
            if let last = told.indices.last, told[last].overlaps(hole) {
                told[last].end = max(told[last].end, hole.end)
            } else {
                told.append(hole)
            }
        }
        return told.map {
            ExportWarning(
                code: "sourceHole",
                message: "nothing was received for \($0.length), from \($0.start - start) on: the "
                    + "picture stands still there, and the sound is silent")
        }
    }

    /// The header's duration, if the complete file cannot have this duration.
    private var implausiblePromise: MediaTime? {
        guard facts.fault == nil, facts.isFragmented || facts.keepsDurationInHeader,
            facts.declaredEnd.map({ $0 <= facts.byteCount ?? .max }) ?? true,
            let declared = facts.declaredDuration,
            let end = facts.scan?.streams.values.compactMap(\.end).max(), end > .zero
        else { return nil }
        let isUnknown = facts.streams.contains { Self.unknown.contains($0.durationTicks ?? 0) }
        return declared.seconds > (isUnknown ? 1 : Self.implausible) * end.seconds ? declared : nil
    }

    /// - Returns: The whole loss, and the part of it that decoding cannot detect again.
    func find() -> (loss: LossReport?, absent: LossReport?) {
        if let loss = missingSamples() { return (loss, nil) }
        if facts.scan?.hasWildTimes == true {
            let loss = LossReport(
                lostSeconds: .zero, details: ["the times of its packets are beyond all clocks"],
                isTruncated: false)
            return (loss, loss)
        }
        if let loss = incompleteAVI() { return (loss, loss) }
        let gaps = gaps()
        let short = shortContainer()
        // Gaps measure losses in the middle, but not at the end.
        let unreadable = short == nil ? unreadable(atEndOnly: gaps != nil) : nil
        if var absent = LossReport.inTurn([short, gaps, unreadable].compactMap(\.self)) {
            if case .broken(let place, _) = facts.fault {
                absent.details.append(Self.break(at: place))
            }
            return (absent, absent)
        }
        if let loss = damagedPackets() { return (loss, nil) }
        let rest = lostStreams() ?? brokenChain()
        return (rest, rest)
    }

    /// Reports pictures and sound missing between others.
    private func gaps() -> LossReport? {
        guard let found = facts.gaps?.tracks else { return nil }
        let gaps = tracks.compactMap { track in
            found[track.index].map { (track.type, $0) }
        }.filter { $0.1.pictures > 0 || $0.1.length > Self.frame }
        guard !gaps.isEmpty else { return nil }
        let details = gaps.map { type, gap in
            let what = gap.pictures == 1 ? "1 picture is" : "\(gap.pictures) pictures are"
            return gap.pictures > 0
                ? "\(type.rawValue): \(what) missing (\(gap.length))"
                : "\(type.rawValue): \(gap.length) are missing"
        }
        return LossReport(
            lostSeconds: gaps.map(\.1.length).max() ?? .zero, details: details, isTruncated: false)
    }

    static func `break`(at place: Int64) -> String {
        "the container's structure breaks off at byte \(place)"
    }

    /// Reports samples that an MP4's index places beyond the end of the file.
    private func missingSamples() -> LossReport? {
        var details: [String] = []
        var lost = MediaTime.zero
        for track in tracks {
            guard let index = facts.indexes[track.index], index.missing > 0 else { continue }
            lost = max(lost, index.missingTime)
            details.append(
                "\(track.type.rawValue): \(index.missing) of \(index.entries) samples lie beyond "
                    + "the end of the file (\(index.missingTime))")
        }
        return details.isEmpty
            ? nil : LossReport(lostSeconds: lost, details: details, isTruncated: true)
    }

    /// Reports a container that ends before its declared end or duration.
    private func shortContainer() -> LossReport? {
        let endsEarly = isShorterThanDeclared
        let knowsEnd = facts.declaredEnd != nil && facts.fault == nil
        let end = facts.latestEnd
        let start =
            facts.scan?.streams.values.compactMap(\.start).min() ?? facts.gaps?.start ?? .zero
        if endsEarly, lacksMedia {
            return LossReport(lostSeconds: missingShare, details: [endDetail], isTruncated: true)
        }
        guard let declared = facts.declaredDuration, let end, endsEarly || !knowsEnd,
            facts.scan?.timeline.isStraight ?? (facts.gaps != nil)
        else { return nil }
        // The unread chunk tells how much is lost.
        if case .unreadable(_, _, .some)? = facts.fault { return nil }
        guard implausiblePromise == nil else { return nil }
        let lost = declared - facts.decodingLead - (end - start)
        guard lost > promiseSlack(endsEarly: endsEarly),
            facts.isFragmented || facts.keepsDurationInHeader
                || ["mxf", "rm"].contains(facts.container) && facts.fault != nil
        else {
            return nil
        }
        return LossReport(
            lostSeconds: lost,
            details: ["the header promises \(declared), the packets end at \(end - start)"],
            isTruncated: true)
    }

    /// Returns how much longer than the packets a header's duration may be.
    ///
    /// FLAC counts samples, and no encoder rounds them. MP3 counts frames, with or without the
    /// header frame.
    private func promiseSlack(endsEarly: Bool) -> MediaTime {
        if facts.container == "mp3" {
            let frame = facts.scan?.streams.values.compactMap(\.shortestLength).max() ?? .zero
            return max(Self.frame, frame + frame)
        }
        let isExact = endsEarly || facts.fault != nil || facts.container == "flac"
        return isExact ? Self.frame : Self.slack
    }

    /// Reports a container with elements that do not form a chain to the end.
    private func brokenChain() -> LossReport? {
        guard let fault = facts.fault else { return nil }
        switch fault {
        case .cut where facts.isBroadcast: return nil
        case .cut:
            return LossReport(
                lostSeconds: missingShare,
                details: ["the file ends within an element of its container"],
                isTruncated: true)
        // `unreadable()` reports these ranges.
        case .unreadable: return nil
        // An Ogg file with oddly numbered pages has lost nothing if its timestamps have no gap.
        case .broken where facts.container == "ogg": return nil
        case .broken(let place, let missing):
            return LossReport(
                lostSeconds: missing,
                details: [Self.break(at: place)],
                isTruncated: false)
        }
    }

    /// Whether more is missing than a trailing index, or than writers round lengths by.
    private var lacksMedia: Bool {
        guard let declared = facts.declaredEnd, let bytes = facts.byteCount else { return false }
        switch facts.container {
        case "wav", "w64", "aiff", "caf", "au": return missingShare > Self.frame
        case "asf": return declared - bytes > max(4096, declared / 200)
        default: return false
        }
    }

    /// Estimated duration of the bytes that the container declares and the file lacks.
    var missingShare: MediaTime {
        guard let declared = facts.declaredEnd, let bytes = facts.byteCount, declared > bytes,
            bytes > 0, let end = facts.scan?.streams.values.compactMap(\.end).max()
        else { return .zero }
        return MediaTime(seconds: end.seconds * Double(declared - bytes) / Double(bytes))
    }

    /// Whether the file has fewer bytes than its container declares.
    var isShorterThanDeclared: Bool {
        guard let declared = facts.declaredEnd, let bytes = facts.byteCount else { return false }
        return declared > bytes
    }

    var endDetail: String {
        "the container declares \(facts.declaredEnd ?? 0) bytes, the file has \(facts.byteCount ?? 0)"
    }

    /// Reports packets that the demuxer marks as damaged.
    private func damagedPackets() -> LossReport? {
        guard let scan = facts.scan else { return nil }
        if let failure = scan.readFailure {
            return LossReport(
                lostSeconds: .zero, details: ["reading stopped before the end: \(failure)"],
                isTruncated: true)
        }
        var lost = MediaTime.zero
        let details = tracks.compactMap { track -> String? in
            guard let found = scan.streams[track.index], found.corruptPackets > 0 else {
                return nil
            }
            let length = max(.zero, (found.end ?? .zero) - (found.start ?? .zero)).seconds
            let share = Double(found.corruptPackets) / Double(max(1, found.packets))
            lost = max(lost, MediaTime(seconds: length * share))
            return
                "\(track.type.rawValue): \(found.corruptPackets) of \(found.packets) packets are damaged"
        }
        guard !details.isEmpty else { return nil }
        return LossReport(lostSeconds: lost, details: details, isTruncated: false)
    }
}

extension InspectionFacts {
    /// Whether the container stores its duration in the header once complete.
    fileprivate var keepsDurationInHeader: Bool {
        ["flv", "asf", "wav", "aiff", "flac", "w64", "caf", "mp3"].contains(container) || isMatroska
    }
}

public import TakeupModel
internal import TakeupJobs
internal import TakeupTimeline

/// A composition for editing programs.
extension TimelineFile {
    /// Writes a composition in the form that a file's name asks for.
    ///
    /// - Parameters:
    ///   - composition: Its paths from the root.
    ///   - path: Where the file will be.
    /// - Returns: The file's text.
    /// - Throws: `BatchListError.unfit` for what the form cannot say.
    public static func text(
        of composition: Composition, at path: String
    ) throws(BatchListError) -> String {
        switch ending(of: path) {
        case otioEnding: return try otio(composition, at: path)
        case edlEnding:
            throw .unfit(
                path, reason: "edit decision lists are read, but not written",
                hint: "let the name end in \(otioEnding) or \(ending)")
        default: return "\(composition.timelineJSON)\n"
        }
    }

    /// Writes OpenTimelineIO's form.
    ///
    /// Every time is an exact fraction: its rate is its denominator. Sources below the file's folder are named from
    /// there.
    private static func otio(
        _ composition: Composition, at path: String
    ) throws(BatchListError) -> String {
        if let what = composition.beyondOTIO {
            throw .unfit(
                path, reason: "\(what) cannot be written",
                hint: "let the name end in \(ending), or leave that out of the timeline")
        }
        var tracks: [JSONValue] = []
        var counts: [String: Int] = [:]
        for track in composition.tracks {
            var clips: [JSONValue] = []
            for (place, segment) in (track.cutSegments ?? track.segments).enumerated() {
                guard segment.pitch != .follow else {
                    throw .unfit(
                        path, reason: "the pitch of segment \(place + 1) cannot be written",
                        hint: "let the name end in \(ending), or keep the pitch")
                }
                guard track.cutSegments != nil,
                    let item = segment.otio(from: ListPath.folder(of: path))
                else {
                    let reason =
                        segment.timecodeRate == nil
                        ? "only its source tells where it ends"
                        : "it counts in the timecode of its source"
                    throw .unfit(
                        path, reason: "segment \(place + 1) cannot be written: \(reason)",
                        hint: "give it an end or a duration that counts from the source's start")
                }
                if let transition = segment.transition { clips.append(transition.otio) }
                clips.append(item)
            }
            for (name, kind) in track.media.kinds {
                counts[name, default: 0] += 1
                tracks.append(
                    otio(
                        "Track.1", "\(name)\(counts[name] ?? 1)",
                        ["kind": .text(kind), "children": .list(clips)]))
            }
        }
        let stack = otio("Stack.1", "tracks", ["children": .list(tracks)])
        let name = ListPath.split(ListPath.name(of: path)).stem
        return otio("Timeline.1", name, ["global_start_time": .null, "tracks": stack]).description
            + "\n"
    }

    fileprivate static func otio(
        _ schema: String, _ name: String, _ members: JSONValue
    ) -> JSONValue {
        members.prefixed("name", .text(name)).prefixed("metadata", .object([]))
            .prefixed("OTIO_SCHEMA", .text(schema))
    }
}

extension Composition.Media {
    /// The tracks that say it, with their kinds.
    fileprivate var kinds: [(name: String, kind: String)] {
        switch self {
        case .all: [("V", "Video"), ("A", "Audio")]
        case .video: [("V", "Video")]
        case .audio: [("A", "Audio")]
        }
    }
}

extension Composition {
    /// What the form has no words for; nil for nothing.
    fileprivate var beyondOTIO: String? {
        if background != nil { return "the background" }
        if !titles.isEmpty { return "a title" }
        if !subtitles.isEmpty { return "the subtitles" }
        for (number, track) in tracks.enumerated() {
            if track.volume != nil { return "the volume of track \(number + 1)" }
            if track.duck != nil { return "the ducking of track \(number + 1)" }
            if track.loop != nil { return "the loop of track \(number + 1)" }
            if track.layout != nil { return "the layout of track \(number + 1)" }
            for (place, segment) in track.segments.enumerated() {
                let name = "segment \(place + 1) of track \(number + 1)"
                if segment.layout != nil { return "the layout of \(name)" }
                if let kind = segment.transition?.kind, kind != .dissolve {
                    return "the \(kind.rawValue) before \(name)"
                }
            }
        }
        return nil
    }
}

extension Transition {
    /// A dissolve whose middle is the cut.
    fileprivate var otio: JSONValue {
        let half = duration.shown(at: Ratio(2, 1))
        let time: JSONValue = [
            "OTIO_SCHEMA": "RationalTime.1", "value": .integer(half.value),
            "rate": .integer(half.timescale),
        ]
        return TimelineFile.otio(
            "Transition.1", "",
            ["transition_type": "SMPTE_Dissolve", "in_offset": time, "out_offset": time])
    }
}

extension Composition.Segment {
    /// A clip or a gap; nil where the form needs to know more.
    fileprivate func otio(from folder: String) -> JSONValue? {
        guard timecodeRate == nil, range == nil || range?.duration != nil else { return nil }
        guard let source else {
            guard let duration else { return nil }
            return TimelineFile.otio(
                "Gap.1", "", ["source_range": Self.otio(.zero, duration)])
        }
        var effects: [JSONValue] = []
        if let speed {
            let scalar = JSONValue.number(speed.doubleValue)
            let members: JSONValue = ["effect_name": "LinearTimeWarp", "time_scalar": scalar]
            effects.append(TimelineFile.otio("LinearTimeWarp.1", "", members))
        }
        let media = TimelineFile.otio(
            "ExternalReference.1", "",
            [
                "target_url": .text(TimelineSource.url(of: source, from: folder)),
                "available_range": .null,
            ])
        let part = range.flatMap { range in length.map { Self.otio(range.start, $0) } }
        return TimelineFile.otio(
            "Clip.2", ListPath.name(of: SourceText.shown(source)),
            [
                "source_range": part ?? .null, "effects": .list(effects), "markers": .list([]),
                "enabled": .flag(true), "media_references": ["DEFAULT_MEDIA": media],
                "active_media_reference_key": "DEFAULT_MEDIA",
            ])
    }

    private static func otio(_ start: MediaTime, _ duration: MediaTime) -> JSONValue {
        func time(_ time: MediaTime) -> JSONValue {
            // One rate for both, where it is small, is what editing programs expect.
            let scale =
                start.timescale.isMultiple(of: time.timescale) && start.timescale >= time.timescale
                ? start.timescale
                : duration.timescale.isMultiple(of: time.timescale)
                    ? duration.timescale : time.timescale
            return [
                "OTIO_SCHEMA": "RationalTime.1",
                "value": .integer(time.value * (scale / time.timescale)),
                "rate": .integer(scale),
            ]
        }
        return [
            "OTIO_SCHEMA": "TimeRange.1", "start_time": time(start), "duration": time(duration),
        ]
    }
}

extension TimelineSource {
    /// What names a source in the files of other programs; `place(url:from:)` reads it again.
    fileprivate static func url(of source: String, from folder: String) -> String {
        if SourceText.isAddress(source) { return source }
        let below = folder == "/" ? "/" : folder + "/"
        let isBelow = source.hasPrefix(below)
        let path = isBelow ? String(source.dropFirst(below.count)) : source
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        var text = isBelow ? "" : "file://"
        for byte in path.utf8 {
            if plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }
}

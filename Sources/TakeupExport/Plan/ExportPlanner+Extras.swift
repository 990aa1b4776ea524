internal import TakeupFFmpeg
internal import TakeupTimeline

extension ExportPlanner {
    /// Records that a cut was moved to the start of a picture.
    mutating func noteCut(asked: TimeRange, snapped: TimeRange) {
        guard asked != snapped else { return }
        let text = { (range: TimeRange) in
            "\(range.start) to \(range.end.map { "\($0)" } ?? "the end")"
        }
        let reason = "pictures that are copied cannot be divided: \(text(asked)) was asked for"
        decide("cut", text(snapped), because: reason)
        warnings.append(
            ExportWarning(code: "cutMoved", message: "the cut is from \(text(snapped)): \(reason)"))
    }

    /// A first chapter that starts before this time is moved to 0.
    private static let leastChapter = MediaTime(value: 1, timescale: 10)

    /// Plans the chapters within the exported ranges, shifted to the output's times.
    mutating func planChapters(_ spans: [Span], total: MediaTime) -> [Chapter] {
        guard !settings.stripsMetadata else { return [] }
        var chapters: [Chapter] = []
        for span in spans {
            guard let source = clips[span.clip].videoSource ?? clips[span.clip].audioSource else {
                continue
            }
            for chapter in assets[source].description.chapters {
                let start = max((chapter.start - span.offset).shown(at: span.speed), .zero)
                let end = min((chapter.end - span.offset).shown(at: span.speed), span.duration)
                guard start < end else { continue }
                chapters.append(
                    Chapter(
                        start: span.target + start, end: span.target + end, title: chapter.title))
            }
        }
        // MP4 stores only chapter starts, and the first must be at 0, so the time before it needs a
        // chapter.
        if let first = chapters.first, first.start > Self.leastChapter {
            chapters.insert(Chapter(start: .zero, end: first.start, title: ""), at: 0)
        }
        if !chapters.isEmpty {
            decide("chapters", "\(chapters.count) kept", because: "as far as they lie in the range")
        }
        return chapters
    }

    /// Plans the metadata with MP4 keys, and separately the keys of phones and cameras.
    ///
    /// - Parameter opening: What the output begins with, which tells its timecode.
    /// - Returns: Both, by their names.
    mutating func planMetadata(
        _ opening: Span?
    ) -> (metadata: [String: String], keys: [String: String]) {
        var metadata: [String: String] = [:]
        var keys: [String: String] = [:]
        if !settings.stripsMetadata, let first = assets.first {
            metadata = MetadataFilter.carried(first.description.metadata)
            keys = QuickTimeKeys.carried(first.description.metadata)
            // Players that do not know QuickTime keys find the location in MP4's own field.
            if let place = QuickTimeKeys.location(keys), metadata["location"] == nil,
                MetadataField.fault("location", place) == nil
            {
                metadata["location"] = place
            }
            let clip = opening.map { clips[$0.clip] }
            let source = (clip?.videoSource ?? clip?.audioSource).map { assets[$0] } ?? first
            let found = source.streams.compactMap { $0.metadata["timecode"] }.first
            let text = found ?? MetadataFilter.carried(source.description.metadata)["timecode"]
            metadata["timecode"] = text.flatMap { timecode($0, source, opening) }
        }
        for (key, value) in settings.metadata.sorted(by: { $0.key < $1.key }) {
            if let fault = MetadataField.fault(key, value) {
                warnings.append(ExportWarning(code: "metadataDropped", message: fault.reason))
                continue
            }
            metadata[key.lowercased()] = value.isEmpty ? nil : value
            QuickTimeKeys.remove(key, from: &keys)
        }
        if MovieKeys(keys)?.placeholder(beside: metadata) == nil, !keys.isEmpty {
            warnings.append(
                ExportWarning(
                    code: "metadataDropped",
                    message: "keys of the source are left out, as the index has no room for them: "
                        + keys.keys.sorted().joined(separator: ", ")))
            keys = [:]
        }
        if !keys.isEmpty {
            let names = keys.keys.sorted().joined(separator: ", ")
            decide("keys", "\(keys.count) kept", because: names)
        }
        return (metadata, keys)
    }

    /// Returns the timecode of the first exported picture; nil if unknown.
    private mutating func timecode(
        _ text: String, _ asset: InspectedAsset, _ opening: Span?
    ) -> String? {
        guard !composes else {
            decide("timecode", "dropped", because: "the pictures are composed of several")
            return nil
        }
        guard let opening, !opening.isEmpty, opening.speed == nil else {
            decide(
                "timecode", "dropped",
                because: "the timeline does not begin with pictures at their own speed")
            return nil
        }
        let start = opening.offset
        guard start > .zero else { return text }
        let track = asset.description.tracks.first { $0.video != nil }
        let traits = track?.video
        guard let rate = traits?.averageFrameRate ?? traits?.nominalFrameRate,
            let timecode = Timecode(text, rate: rate)
        else {
            decide("timecode", "dropped", because: "\(text) cannot be moved to the cut's start")
            return nil
        }
        let late = (track?.startTime ?? .zero) - asset.description.startTime
        // The first picture is the one on screen at the start; its own time may be rounded.
        let frames = max(0, (start - late).seconds * rate.doubleValue + 0.05)
        return timecode.advanced(byFrames: Int(min(frames, 1e12))).description
    }

    func coverTrack(_ video: VideoTrackPlan?) -> Int? {
        guard !settings.stripsMetadata, clips.count == 1,
            let source = clips[0].audioSource ?? clips[0].videoSource
        else { return nil }
        let codecs = ["mjpeg", "png"]
        return source == 0
            ? assets[0].description.tracks.first {
                $0.type == .picture && codecs.contains($0.codec)
            }?.index : nil
    }
}

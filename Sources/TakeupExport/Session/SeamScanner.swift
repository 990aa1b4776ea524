internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Finds out which packets of cut segments can be copied, by reading the packets at their ends.
struct SeamScanner {
    /// How far before a time the search for a keyframe at that time begins: containers round.
    private static let slack = MediaTime(value: 1, timescale: 1000)
    /// Number of keyframes, from the last one back, at which the search for the end begins.
    private static let tries = 4

    let inputs: RunInputs
    let cancellation: Cancellation

    /// - Returns: The seams of the segments, up to the first that has none: it decides for all.
    /// - Throws: `ExportError` if a source cannot be read.
    func seams(_ wish: SeamWish) throws(ExportError) -> [SegmentSeams] {
        var found: [SegmentSeams] = []
        do throws(FFmpegError) {
            for segment in wish.segments {
                found.append(try seams(segment, wish.timescale))
                if case .none = found[found.count - 1] { break }
            }
        } catch {
            throw ExportError(error, .open)
        }
        return found
    }

    private func seams(
        _ segment: TrackSegment, _ timescale: Int64
    ) throws(FFmpegError) -> SegmentSeams {
        guard let track = segment.track else { return .none("the timeline has empty time") }
        let reader = try SegmentReader(
            inputs.sources[segment.source], inputs.assets[segment.source], segment, track: track,
            cancellation: cancellation)
        let base = TimeBase(1, Int32(clamping: timescale))
        let start = SeamWish.start(segment, timescale)
        let end = SeamWish.end(segment, timescale)
        let sets = ParameterSets("h264", try reader.parameters().extradata)
        var search = EntrySearch(start: start, end: end)
        _ = try reader.enter(noLaterThan: base.time(start) - Self.slack)
        if let reason = try read(reader, base, sets, { search.take($0) }) { return .none(reason) }
        guard let entry = search.entry else {
            return .none("decoding cannot begin within it (no IDR picture)")
        }
        let hasHead = search.hasHead
        var depth = search.depth.pictures
        var latest = end.map { base.time($0) } ?? segment.sourceStart + segment.duration
        for _ in 0..<Self.tries {
            var search = StopSearch(end: end)
            let isFound = try reader.enter(noLaterThan: latest - Self.slack)
            if let reason = try read(reader, base, sets, { search.take($0) }) {
                return .none(reason)
            }
            depth = max(depth, search.depth.pictures)
            if let stop = search.stop(from: entry) {
                return .found(
                    CopySpan(entry: entry, hasHead: hasHead, stop: stop, depth: depth))
            }
            guard isFound, let place = reader.entry else { break }
            latest = place
        }
        return .none("no group of pictures ends within it")
    }

    /// Reads packets until the search has enough.
    ///
    /// - Returns: Why nothing can be copied; nil if nothing was found.
    private func read(
        _ reader: SegmentReader, _ base: TimeBase, _ sets: ParameterSets,
        _ take: (SeamPacket) -> Bool
    ) throws(FFmpegError) -> String? {
        let packet = try Packet()
        var times: Set<Int64> = []
        while try reader.next(packet) {
            guard let ticks = packet.ptsTicks else { return "one of its pictures has no time" }
            if packet.isCorrupt { return "one of its packets is damaged" }
            let inside = packet.withBytes { ParameterSets.inside($0, "h264", sets.lengthBytes) }
            guard packet.newExtradata == nil, inside.allSatisfy(sets.sets.contains) else {
                return SampleEntries.reason
            }
            let time = base.rescale(ticks, from: reader.stream.timeBase)
            guard times.insert(time).inserted else { return "two of its pictures have one time" }
            let isEntry = packet.isKey && packet.withBytes { sets.isClean($0, "h264") }
            guard
                take(SeamPacket(time: time, isEntry: isEntry, isHidden: packet.isDiscarded))
            else { return nil }
        }
        return reader.tally.readFailure.map { "reading stopped: \($0)" }
    }
}

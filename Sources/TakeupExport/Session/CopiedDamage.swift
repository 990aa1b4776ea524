internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Decodes the sources of copied tracks, because damage in a source is no fault of the copy.
struct CopiedDamage {
    /// Keeps the pictures' source times; used for progress only.
    private static let timing = FrameTimingPlan(
        timescale: 90_000, grid: nil, constantRate: nil, maximumRate: nil)

    /// The result of decoding the sources of copied tracks.
    struct Finding {
        /// Indexes of tracks with faults in their source.
        var faulty: Set<Int> = []
        /// The loss in all sources; nil if an export would ignore it.
        var loss: LossReport?
        /// Packets that a copy must leave out, by input and stream, if this repairs the copy.
        var ends: [TrackKey: UnusableEnds] = [:]
    }

    /// A stream of an input.
    struct TrackKey: Hashable {
        let source: Int
        let track: Int
    }

    let inputs: RunInputs
    let plan: ExportPlan
    let control: RunControl
    let progress: ProgressMeter

    /// Decodes tracks like an encoding export does, and counts the same faults.
    ///
    /// - Parameter places: Output indexes of the copied tracks.
    /// - Returns: The faults of the sources.
    /// - Throws: `.unsupported` for a track that cannot be decoded at all; `.cancelled`; `.media`.
    func find(in places: Set<Int>) throws(ExportError) -> Finding {
        var found = Finding()
        var losses: [LossReport] = []
        let assessor = LossAssessor(assets: inputs.assets)
        for (place, kind, segments) in tracks where places.contains(place) {
            for segment in segments { try requireDecoder(segment, kind) }
            let tallies = try tallies(place, segments)
            // At the start of a cut, a decoder may lack earlier packets; this is no fault of the
            // source.
            let isWhole = segments.allSatisfy(\.isWhole)
            if isWhole, tallies.contains(where: \.hasFaults) { found.faulty.insert(place) }
            let slight = isWhole && kind == .audio ? slightLoss(segments, tallies) : nil
            if let loss = assessor.assess(segments, kind, tallies) ?? slight {
                found.faulty.insert(place)
                losses.append(loss)
            } else {
                for (segment, tally) in zip(segments, tallies) {
                    guard let track = segment.track, let ends = ends(segment, kind, tally) else {
                        continue
                    }
                    found.faulty.insert(place)
                    found.ends[TrackKey(source: segment.source, track: track)] = ends
                }
            }
        }
        found.loss = LossReport.beside(losses)
        return found
    }

    /// Reports single faulty audio blocks: an encoding export ignores them, but a copy would keep
    /// the fault.
    private func slightLoss(_ segments: [TrackSegment], _ tallies: [TrackTally]) -> LossReport? {
        let blocks = zip(segments, tallies).map { segment, tally in
            tally.faultyBlocks(
                mayBeCut: Self.mayBeCut(container(segment)) || hasJunk(segment, tally))
        }.reduce(0, +)
        guard blocks > 0 else { return nil }
        let packets = max(blocks, tallies.map(\.packets).reduce(0, +))
        let length = segments.map(\.duration).reduce(.zero, +)
        return LossReport(
            lostSeconds: MediaTime(seconds: length.seconds * Double(blocks) / Double(packets)),
            details: ["audio: the decoder finds fault with \(blocks) of \(packets) blocks"],
            isTruncated: false)
    }

    /// Returns the packets that a copy of a segment must leave out; nil for none.
    private func ends(
        _ segment: TrackSegment, _ kind: MediaType, _ tally: TrackTally
    ) -> UnusableEnds? {
        let mayBeCut = Self.mayBeCut(container(segment))
        guard var ends = tally.unusableEnds(kind, mayBeCut: mayBeCut) else { return nil }
        if hasJunk(segment, tally) { (ends.last, ends.hasJunk) = (0, true) }
        return ends
    }

    /// Returns whether the packet of FLAC's last block also contains a tag or other bytes.
    private func hasJunk(_ segment: TrackSegment, _ tally: TrackTally) -> Bool {
        container(segment) == "flac" && tally.isWhole && tally.refusedAtEnd > 0
            && tally.frames >= tally.packets
    }

    private func container(_ segment: TrackSegment) -> String {
        inputs.assets[segment.source].description.container
    }

    /// Returns whether a container may yield packets with partial blocks at both ends, or with
    /// bytes after the last block.
    private static func mayBeCut(_ container: String) -> Bool {
        Broadcast.isOne(container) || bareSound.contains(container)
    }

    /// Raw audio formats without a container.
    static let bareSound: Set<String> = ["aac", "ac3", "dts", "eac3", "loas", "mp3"]

    private var tracks: [(place: Int, kind: MediaType, segments: [TrackSegment])] {
        let pictures = plan.video.map { [(MediaType.video, $0.segments)] } ?? []
        let all = pictures + plan.audio.map { (MediaType.audio, $0.segments) }
        return all.enumerated().map { ($0.offset, $0.element.0, $0.element.1) }
    }

    private func requireDecoder(
        _ segment: TrackSegment, _ kind: MediaType
    ) throws(ExportError) {
        let source = inputs.assets[segment.source].description
        guard let track = source.tracks.first(where: { $0.index == segment.track }),
            !track.isDecodable
        else { return }
        throw .unsupported(
            source.name, reason: "its \(kind.rawValue) (\(track.codec)) cannot be decoded here")
    }

    private func tallies(
        _ place: Int, _ segments: [TrackSegment]
    ) throws(ExportError) -> [TrackTally] {
        var tallies: [TrackTally] = []
        if place == 0, let video = plan.video {
            tallies = DamageRecount(
                inputs: inputs, video: video, timing: Self.timing, control: control,
                progress: progress
            ).count()
        } else {
            do throws(FFmpegError) {
                tallies = try SoundRecount(inputs: inputs, control: control, progress: progress)
                    .count(segments)
            } catch {
                control.fail(error, .decode)
            }
        }
        if control.cancellation.isCancelled { throw .cancelled }
        if let error = control.error { throw error }
        return tallies
    }
}

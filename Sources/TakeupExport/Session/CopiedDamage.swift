internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Decodes the sources of copied tracks: what is wrong there already is no fault of the copy.
struct CopiedDamage {
    /// Pictures keep the times of their source; this is for progress alone.
    private static let timing = FrameTimingPlan(
        timescale: 90_000, grid: nil, constantRate: nil, maximumRate: nil)

    /// What decoding the sources of copied tracks found.
    struct Finding {
        /// Places of tracks whose source does not decode without fault.
        var faulty: Set<Int> = []
        /// What is lost of all of them; nil when it is no more than every export passes over.
        var loss: LossReport?
        /// Packets that a copy must leave out, by input and stream, as far as that mends it.
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

    /// Decodes tracks as an export that encodes them does, and counts the same.
    ///
    /// - Parameter places: Of copied tracks in the output.
    /// - Returns: What is wrong with the sources.
    /// - Throws: `.unsupported` for a track of which nothing can be decoded; `.cancelled`; `.media`.
    func find(in places: Set<Int>) throws(ExportError) -> Finding {
        var found = Finding()
        var losses: [LossReport] = []
        let assessor = LossAssessor(assets: inputs.assets)
        for (place, kind, segments) in tracks where places.contains(place) {
            for segment in segments { try requireDecoder(segment, kind) }
            let tallies = try tallies(place, segments)
            // Where a cut begins, a decoder may miss what lies before: that is no fault of the source.
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

    /// Single blocks of sound, which an export that encodes passes over: a copy would keep the fault.
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

    /// What a copy of a segment must leave out; nil for nothing.
    private func ends(
        _ segment: TrackSegment, _ kind: MediaType, _ tally: TrackTally
    ) -> UnusableEnds? {
        guard var ends = tally.unusableEnds(kind) else { return nil }
        if hasJunk(segment, tally) { (ends.last, ends.hasJunk) = (0, true) }
        return ends
    }

    /// Whether a tag or something else behind FLAC lies in the packet of its last block.
    private func hasJunk(_ segment: TrackSegment, _ tally: TrackTally) -> Bool {
        container(segment) == "flac" && tally.isWhole && tally.refusedAtEnd > 0
            && tally.frames >= tally.packets
    }

    private func container(_ segment: TrackSegment) -> String {
        inputs.assets[segment.source].description.container
    }

    /// Whether a part of a block at either end, or what stands behind the last one, becomes a packet.
    private static func mayBeCut(_ container: String) -> Bool {
        Broadcast.isOne(container) || bareSound.contains(container)
    }

    /// Sound without a container.
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

internal import TakeupTimeline

/// Tells which copied tracks are not right in their new container, so that they must be encoded instead.
struct CopyProof {
    let plan: ExportPlan
    let result: PassResult

    /// Whether only decoding the output can tell: nobody has looked at what was copied because it met the
    /// preset, nor at parameters that came within a stream.
    var needsDecoding: Bool {
        plan.copiesUnread || result.written.contains { $0.parameters?.needsProof == true }
    }

    /// - Parameters:
    ///   - names: Of the sources, for the error.
    ///   - problems: What decoding the output found, by the tracks' places; none before.
    /// - Returns: By kind, why its copies are wrong; nil when nothing is said against any.
    /// - Throws: `.unsupported` for a wrong copy where the preset can do nothing but copy.
    func objections(
        _ names: String, _ problems: [Int: String] = [:]
    ) throws(ExportError) -> [MediaType: String]? {
        var found: [MediaType: String] = [:]
        for (place, (kind, isForced)) in copies.sorted(by: { $0.key < $1.key }) {
            guard place < result.written.count, found[kind] == nil else { continue }
            let written = result.written[place]
            let watch = written.parameters
            let isDoubtful = !isForced || watch?.needsProof == true || isCut(kind)
            let problem = isDoubtful ? problems[place] : nil
            // Where nothing but a copy is made, it is a loss.
            let isRefused = !isForced && written.refusedPackets > 0
            let refusal = isRefused ? "one of its packets is damaged" : nil
            guard let reason = watch?.fault ?? refusal ?? problem else { continue }
            guard !isForced else {
                throw .unsupported(
                    names,
                    reason: "its \(kind.rawValue) cannot be copied into an MP4: \(reason); "
                        + "a preset that encodes can export it")
            }
            found[kind] = reason
        }
        return found.isEmpty ? nil : found
    }

    /// What copies lack since the muxer refused packets, which are damaged, where the preset knows nothing but copies.
    var refusals: [LossReport] {
        forced.sorted().compactMap { place in
            guard place < result.written.count, let kind = copies[place]?.kind else { return nil }
            let written = result.written[place]
            let (refused, all) = (written.refusedPackets, written.packets + written.refusedPackets)
            guard refused > 0 else { return nil }
            let length = ((written.end ?? .zero) - (written.start ?? .zero)).seconds
            let lost = MediaTime(seconds: length * Double(refused) / Double(all))
            return LossReport(
                lostSeconds: lost,
                details: [
                    "\(kind.rawValue): \(refused) of \(all) packets are damaged and cannot be copied "
                        + "(\(lost))"
                ], isTruncated: false)
        }
    }

    /// The places of tracks that the preset copies whatever they are.
    var forced: Set<Int> { Set(copies.filter(\.value.isForced).keys) }

    /// Those of them that hold every packet of their source.
    var unchanged: Set<Int> {
        Set(copies.filter { $0.value.isForced && !isCut($0.value.kind) }.keys)
    }

    /// Whether a track is copied from within, where it may build on what is left out.
    private func isCut(_ kind: MediaType) -> Bool {
        let segments =
            kind == .video ? plan.video?.segments ?? [] : plan.audio.flatMap(\.segments)
        return segments.contains { !$0.isWhole }
    }

    /// The copied tracks by their place in the output, and whether the preset knows nothing but copies.
    private var copies: [Int: (kind: MediaType, isForced: Bool)] {
        var copies: [Int: (kind: MediaType, isForced: Bool)] = [:]
        if plan.video?.mode == .copy {
            copies[0] = (.video, plan.preset.video?.codec == .copy)
        }
        let first = plan.video == nil ? 0 : 1
        for (place, track) in plan.audio.enumerated() where track.mode == .copy {
            copies[first + place] = (.audio, plan.preset.audio?.codec == .copy)
        }
        return copies
    }
}

internal import TakeupTimeline

/// Finds copied tracks that are wrong in their new container and must be encoded instead.
struct CopyProof {
    let plan: ExportPlan
    let result: PassResult

    /// Whether only decoding the output can prove the copies.
    ///
    /// True if tracks were copied without decoding because they met the preset, or if parameters
    /// changed within a stream.
    var needsDecoding: Bool {
        plan.copiesUnread || result.written.contains { $0.parameters?.needsProof == true }
    }

    /// - Parameters:
    ///   - names: The sources' names, for the error.
    ///   - problems: Problems found by decoding the output, by track index; empty before decoding.
    /// - Returns: Why copies are wrong, by kind of track; nil if nothing is wrong.
    /// - Throws: `.unsupported` for a wrong copy if the preset can only copy.
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
            // If the preset can only copy, a refused packet is a loss.
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

    /// Losses in copies of a copy-only preset, because the muxer refused damaged packets.
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

    /// Indexes of the tracks that a copy-only preset copies in any case.
    var forced: Set<Int> { Set(copies.filter(\.value.isForced).keys) }

    /// Indexes of the forced tracks that contain every packet of their source.
    var unchanged: Set<Int> {
        Set(copies.filter { $0.value.isForced && !isCut($0.value.kind) }.keys)
    }

    /// Returns whether a copied track is cut, and so may refer to omitted packets.
    private func isCut(_ kind: MediaType) -> Bool {
        let segments =
            kind == .video ? plan.video?.segments ?? [] : plan.audio.flatMap(\.segments)
        return segments.contains { !$0.isWhole }
    }

    /// The copied tracks by output index, and whether the preset can only copy them.
    private var copies: [Int: (kind: MediaType, isForced: Bool)] {
        var copies: [Int: (kind: MediaType, isForced: Bool)] = [:]
        if let video = plan.video, video.mode == .copy || !video.parts.isEmpty {
            copies[0] = (.video, plan.preset.video?.codec == .copy)
        }
        let first = plan.video == nil ? 0 : 1
        for (place, track) in plan.audio.enumerated() where track.mode == .copy {
            copies[first + place] = (.audio, plan.preset.audio?.codec == .copy)
        }
        return copies
    }
}

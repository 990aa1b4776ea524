internal import TakeupFiles
internal import TakeupTimeline

extension ExportRun {
    /// An audio block is at most this long, except in lossless codecs.
    private static let longestBlock = MediaTime(value: 1, timescale: 10)

    /// The result of checking a finished file.
    struct Verdict {
        /// The kinds of copied tracks that must be encoded instead, with the reasons.
        var objections: [MediaType: String] = [:]
        /// Losses in copied tracks because their sources are damaged, if damage is salvaged.
        var damage: LossReport?
        /// Packets that a copy must leave out at its ends.
        var ends: [CopiedDamage.TrackKey: UnusableEnds] = [:]
    }

    /// Checks a finished file.
    ///
    /// - Throws: `.verificationFailed`; `.sourceIncomplete` for copies of damaged sources;
    ///   `.unsupported` if a copy is wrong and the preset can only copy.
    func verify(
        _ output: OpenFile, _ result: PassResult, isSalvaged: Bool
    ) throws(ExportError) -> Verdict {
        let proof = CopyProof(plan: plan, result: result)
        if let found = try proof.objections(names) { return Verdict(objections: found) }
        // Only decoding proves that parts fit together, and equal work must have equal results.
        guard settings.verification != .none || plan.video?.parts.isEmpty == false else {
            return Verdict()
        }
        progress.begin(.verify, from: renderEnd, to: 0.98, total: plan.duration)
        let check = OutputCheck(
            file: output, cancellation: control.cancellation, progress: progress)
        let decodesAll = settings.verification == .full || proof.needsDecoding
        let (found, unusable) = try blamingSource(proof) { () throws(ExportError) in
            try check.quick(result) { place in
                // Salvaged copies may be damaged; the report states this.
                if decodesAll || isSalvaged && proof.forced.contains(place) { return .none }
                if proof.forced.contains(place), isBareSound { return .whole }
                return proof.unchanged.contains(place) ? .copied : .made
            }
        }
        if !unusable.isEmpty { return Verdict(ends: unusable) }
        let (rest, damage, ends) = try withoutDamage(found, proof)
        if !ends.isEmpty { return Verdict(ends: ends) }
        if let found = try proof.objections(names, rest) { return Verdict(objections: found) }
        try check.judge(rest)
        guard decodesAll else { return Verdict(damage: damage) }
        let whole = try check.decode()
        let (problems, wholeDamage, wholeEnds) = try withoutDamage(whole.trackProblems, proof)
        if !wholeEnds.isEmpty { return Verdict(ends: wholeEnds) }
        if let found = try proof.objections(names, problems) { return Verdict(objections: found) }
        try check.judge(
            whole, problems, result,
            countsFrames: settings.verification == .full && problems == whole.trackProblems)
        return Verdict(damage: wholeDamage ?? damage)
    }

    /// Whether a source is raw sound without a container; only decoding can find damage in raw
    /// sound.
    private var isBareSound: Bool {
        inputs.assets.contains { CopiedDamage.bareSound.contains($0.description.container) }
    }

    /// Checks the output and, on failure, finds out whether the source is to blame.
    ///
    /// - Returns: The result of `check`, or the packets that a copy must leave out before the
    ///   check.
    /// - Throws: `.sourceIncomplete` if the source is damaged, `.unsupported` if the cut is too
    ///   short for a copy, otherwise the error of `check`.
    private func blamingSource(
        _ proof: CopyProof, _ check: () throws(ExportError) -> [Int: String]
    ) throws(ExportError) -> ([Int: String], ends: [CopiedDamage.TrackKey: UnusableEnds]) {
        do throws(ExportError) {
            return (try check(), [:])
        } catch {
            guard case .verificationFailed = error, !proof.forced.isEmpty else { throw error }
            progress.again()
            let damage = CopiedDamage(
                inputs: inputs, plan: plan, control: control, progress: progress)
            let found = try damage.find(in: proof.forced)
            if let loss = found.loss { throw .sourceIncomplete(names, loss) }
            // FFmpeg's demuxer hides packets at the start that contain no block.
            let ends = newEnds(found)
            if !ends.isEmpty { return ([:], ends) }
            // FFmpeg's demuxer hides the packets before a cut that ends within its first block.
            guard settings.timeRange != nil, plan.duration < Self.longestBlock else { throw error }
            throw .unsupported(
                names,
                reason: "the cut (\(plan.duration)) is shorter than a block of its sound, and a "
                    + "copy keeps whole blocks; a preset that encodes can export it")
        }
    }

    /// Removes the problems of copies with sources that also fail to decode.
    ///
    /// - Parameters:
    ///   - problems: Problems by track index in the output.
    ///   - proof: Knows which tracks the preset copies in any case.
    /// - Returns: The other problems, the losses in the sources, and the packets that a copy must
    ///   leave out before the next check.
    /// - Throws: `.sourceIncomplete` if damage is not salvaged; `.unsupported` if nothing can be
    ///   decoded.
    private func withoutDamage(
        _ problems: [Int: String], _ proof: CopyProof
    ) throws(ExportError) -> (
        problems: [Int: String], damage: LossReport?, ends: [CopiedDamage.TrackKey: UnusableEnds]
    ) {
        let copies = Set(problems.keys).intersection(proof.forced)
        guard !copies.isEmpty else { return (problems, nil, [:]) }
        progress.again()
        let damage = CopiedDamage(
            inputs: inputs, plan: plan, control: control, progress: progress)
        let found = try damage.find(in: proof.forced)
        guard !found.faulty.isDisjoint(with: copies) else { return (problems, nil, [:]) }
        let ends = newEnds(found)
        if found.loss == nil, !ends.isEmpty { return (problems, nil, ends) }
        let loss = found.loss ?? remainder(problems, copies, found)
        if let loss { try refuse(loss) }
        return (problems.filter { !found.faulty.contains($0.key) }, loss, [:])
    }

    /// Returns the packets that a copy must leave out and still contains.
    private func newEnds(
        _ found: CopiedDamage.Finding
    ) -> [CopiedDamage.TrackKey: UnusableEnds] {
        found.ends.filter { inputs.assets[$0.key.source].unusableEnds[$0.key.track] == nil }
    }

    /// Returns the remaining problems of trimmed copies; nil if reception gaps, which are reported,
    /// explain them.
    private func remainder(
        _ problems: [Int: String], _ copies: Set<Int>, _ found: CopiedDamage.Finding
    ) -> LossReport? {
        let isUnexplained = found.ends.keys.contains {
            inputs.assets[$0.source].holes[$0.track, default: []].isEmpty
        }
        guard isUnexplained else { return nil }
        return LossReport(
            lostSeconds: .zero, details: copies.sorted().compactMap { problems[$0] },
            isTruncated: false)
    }

    /// Records further packets that the next attempt leaves out; the plan may be a new one.
    func leaveOut(_ more: [CopiedDamage.TrackKey: UnusableEnds]) {
        for (key, ends) in more { inputs.assets[key.source].unusableEnds[key.track] = ends }
        for (source, asset) in inputs.assets.enumerated() {
            for (track, ends) in asset.unusableEnds
            where more.isEmpty || more[CopiedDamage.TrackKey(source: source, track: track)] != nil {
                allow(ends, source, track)
            }
        }
    }

    /// Permits a copied track to be shorter by the length of its removed ends.
    private func allow(_ ends: UnusableEnds, _ source: Int, _ track: Int) {
        let isOfKey = { (segment: TrackSegment) in
            segment.source == source && segment.track == track
        }
        if plan.video?.mode == .copy, plan.video?.segments.contains(where: isOfKey) == true {
            plan.video?.promise?.allow(shorterBy: Self.shortness, pictures: ends.count)
        }
        for place in plan.audio.indices
        where plan.audio[place].mode == .copy
            && plan.audio[place].segments.contains(where: isOfKey)
        {
            plan.audio[place].promise?.allow(shorterBy: Self.shortness, pictures: 0)
        }
    }

    /// Warnings about packets missing at the ends of copies.
    var endWarnings: [ExportWarning] {
        inputs.assets.flatMap { asset in
            let ends = asset.unusableEnds.filter { $0.value.count > 0 }
            return ends.sorted { $0.key < $1.key }.map { track, ends in
                let kind = asset.description.tracks.first { $0.index == track }?.type
                return ExportWarning(
                    code: "endLeftOut",
                    message: "\(kind?.rawValue ?? "a track"): \(ends.words) cannot be decoded, "
                        + "and the copy does not contain this part")
            }
        }
    }
}

extension UnusableEnds {
    fileprivate var words: String {
        [(first, "first"), (last, "last")].filter { $0.0 > 0 }
            .map { $0.0 == 1 ? "the \($0.1) packet" : "the \($0.1) \($0.0) packets" }
            .joined(separator: " and ")
    }
}

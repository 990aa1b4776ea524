internal import TakeupFiles

extension ExportRun {
    /// Checks a finished file.
    ///
    /// - Returns: The kinds of track that were copied and must be encoded instead, and why; and what copied tracks
    ///   lack because their sources are damaged, when that is salvaged.
    /// - Throws: `.verificationFailed`; `.sourceIncomplete` for copies of damaged sources; `.unsupported` when a copy
    ///   is wrong and the preset has nothing else.
    func verify(
        _ output: OpenFile, _ result: PassResult, isSalvaged: Bool
    ) throws(ExportError) -> (objections: [MediaType: String], damage: LossReport?) {
        let proof = CopyProof(plan: plan, result: result)
        if let found = try proof.objections(names) { return (found, nil) }
        guard settings.verification != .none else { return ([:], nil) }
        progress.begin(.verify, from: renderEnd, to: 0.98, total: plan.duration)
        let check = OutputCheck(
            file: output, cancellation: control.cancellation, progress: progress)
        let decodesAll = settings.verification == .full || proof.needsDecoding
        let found = try check.quick(result) { place in
            // What is salvaged may be damaged where it was copied, which the report tells.
            if decodesAll || isSalvaged && proof.forced.contains(place) { return .none }
            return proof.unchanged.contains(place) ? .copied : .made
        }
        let (ends, damage) = try withoutDamage(found, proof)
        if let found = try proof.objections(names, ends) { return (found, nil) }
        try check.judge(ends)
        guard decodesAll else { return ([:], damage) }
        let whole = try check.decode()
        let (problems, wholeDamage) = try withoutDamage(whole.trackProblems, proof)
        if let found = try proof.objections(names, problems) { return (found, nil) }
        try check.judge(
            whole, problems, result,
            countsFrames: settings.verification == .full && problems == whole.trackProblems)
        return ([:], wholeDamage ?? damage)
    }

    /// Takes out the problems of copies whose sources do not decode either.
    ///
    /// - Parameters:
    ///   - problems: By the tracks' places in the output.
    ///   - proof: Which tracks the preset copies whatever they are.
    /// - Returns: The other problems, and what the sources of these lack.
    /// - Throws: `.sourceIncomplete` when that is not salvaged; `.unsupported` where nothing can be decoded.
    private func withoutDamage(
        _ problems: [Int: String], _ proof: CopyProof
    ) throws(ExportError) -> (problems: [Int: String], damage: LossReport?) {
        let copies = Set(problems.keys).intersection(proof.forced)
        guard !copies.isEmpty else { return (problems, nil) }
        progress.again()
        let damage = CopiedDamage(
            inputs: inputs, plan: plan, control: control, progress: progress)
        let (faulty, loss) = try damage.find(in: proof.forced)
        guard !faulty.isDisjoint(with: copies) else { return (problems, nil) }
        if let loss { try refuse(loss) }
        return (problems.filter { !faulty.contains($0.key) }, loss)
    }
}

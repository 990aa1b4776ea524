internal import TakeupModel

extension ExportPlanner {
    /// Returns why sound that could be copied has to be encoded for its loudness.
    ///
    /// nil if it is as loud as the preset asks. `place` counts the output's audio tracks, from 0.
    mutating func loudnessObstacle(
        _ place: Int, _ subject: String, _ wanted: AudioSettings
    ) -> PlanReason? {
        guard let target = wanted.loudness else { return nil }
        guard let levels = levels(of: place), let plan = loudness(of: place, wanted) else {
            return PlanReason(.loudness, "its loudness is not known yet")
        }
        if levels.meets(target: target, ceiling: wanted.truePeak) {
            decide(
                "\(subject) loudness", "as it is, \(Self.text(levels))",
                because: "that is within 0.5 LU of the preset's \(LoudnessPlan.text(target)) LUFS")
            return nil
        }
        if plan.changesNothing {
            if let warning = plan.warning { warnings.append(warning) }
            decide("\(subject) loudness", "as it is", because: "it has \(Self.text(levels))")
            return nil
        }
        return PlanReason(
            .loudness,
            "it has \(Self.text(levels)), and the preset asks for \(Self.text(wanted, target))")
    }

    /// Plans the gain of an encoded track; nil without a loudness in the preset, or while it is not measured.
    mutating func planLoudness(
        _ place: Int, _ subject: String, _ wanted: AudioSettings
    ) -> LoudnessPlan? {
        guard let plan = loudness(of: place, wanted) else { return nil }
        if let warning = plan.warning { warnings.append(warning) }
        let limited = plan.limit == nil ? "" : ", with a limiter"
        decide(
            "\(subject) loudness", "\(LoudnessPlan.text(plan.gain, signed: true)) dB\(limited)",
            because: "it has \(Self.text(plan.source)), and the preset asks for "
                + Self.text(wanted, plan.target))
        return plan
    }

    /// What the sound would need if it were encoded; nil without a loudness in the preset, or while it is not measured.
    func loudness(of place: Int, _ wanted: AudioSettings) -> LoudnessPlan? {
        guard let target = wanted.loudness, let levels = levels(of: place) else { return nil }
        return LoudnessPlan(target: target, ceiling: wanted.truePeak, source: levels)
    }

    private func levels(of place: Int) -> SoundLevels? {
        guard let levels, place < levels.count else { return nil }
        return levels[place]
    }

    private static func text(_ wanted: AudioSettings, _ target: Double) -> String {
        "\(LoudnessPlan.text(target)) LUFS and at most \(LoudnessPlan.text(wanted.truePeak)) dBTP"
    }

    private static func text(_ levels: SoundLevels) -> String {
        guard let loudness = levels.loudness else { return "no loudness that could be measured" }
        return "\(LoudnessPlan.text(loudness)) LUFS with peaks of "
            + "\(LoudnessPlan.text(levels.truePeak)) dBTP"
    }
}

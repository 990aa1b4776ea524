internal import TakeupModel

extension ExportRun {
    /// Times that a track is encoded to find a gain and a limit that hold after the encoder.
    private static let mostTrials = 6

    /// Corrects the gains of the plan until the encoded sound is as loud as wanted, and no peak is above its ceiling.
    ///
    /// - Throws: `ExportError` if a source cannot be read; `.cancelled`.
    func tuneLoudness() throws(ExportError) {
        for place in plan.audio.indices {
            guard case .encode(let encoding) = plan.audio[place].mode,
                let loudness = plan.audio[place].loudness, loudness.needsTrial
            else { continue }
            progress.begin(
                .analyse, from: progress.fraction,
                to: min(progress.fraction + 0.1, renderEnd), total: plan.duration)
            plan.audio[place].loudness = try tuned(plan.audio[place], encoding, loudness)
        }
    }

    private func tuned(
        _ track: AudioTrackPlan, _ encoding: AudioEncoding, _ first: LoudnessPlan
    ) throws(ExportError) -> LoudnessPlan {
        let pass = SoundMeasurement(
            inputs: inputs, cancellation: control.cancellation, progress: progress)
        var track = track
        var current = first
        var found = SoundLevels(loudness: nil, truePeak: SoundLevels.leastPeak)
        for round in 1...Self.mostTrials {
            if round > 1 { progress.again() }
            track.loudness = current
            found = try pass.trial(track, encoding)
            guard let next = current.corrected(after: found) else { break }
            guard round < Self.mostTrials else { break }
            current = next
        }
        if found.truePeak > current.ceiling {
            current = current.lowered(by: found.truePeak - current.ceiling + 0.5)
            track.loudness = current
            progress.again()
            found = try pass.trial(track, encoding)
        }
        tell(found.loudness, first)
        return current
    }

    /// Warns where the encoded sound has another loudness than was asked for; the plan's forecast of that goes.
    private func tell(_ loudness: Double?, _ forecast: LoudnessPlan) {
        guard let loudness else { return }
        let isForeseen = forecast.warning?.code == LoudnessPlan.missedCode
        if isForeseen { plan.warnings.removeAll { $0 == forecast.warning } }
        guard abs(loudness - forecast.target) > LoudnessPlan.tolerance else { return }
        let warning = LoudnessPlan.missed(
            "the sound has \(LoudnessPlan.text(loudness)) LUFS instead of "
                + "\(LoudnessPlan.text(forecast.target)): "
                + (isForeseen
                    ? "its peaks leave no more"
                    : "the limiter that keeps its peaks leaves no more"))
        if !plan.warnings.contains(warning) { plan.warnings.append(warning) }
    }
}

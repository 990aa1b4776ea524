extension ExportPlan {
    /// Returns whether the sound, copied because it met the preset, must still prove that it has no
    /// gaps.
    func mustBeContinuous(_ segments: [TrackSegment], _ assets: [InspectedAsset]) -> Bool {
        guard preset.audio?.codec != .copy, let track = segments[0].track else { return false }
        return assets[segments[0].source].soundContinuity(track) == nil
    }

    /// Lowest useful bit rate of encoded sound, in bits per second and channel.
    private static let leastSoundRate = 32_000

    /// Returns the same plan with sound at the lowest useful bit rate.
    ///
    /// Sound that this plan copies is encoded instead.
    ///
    /// - Parameter assets: The sources.
    /// - Returns: nil if this saves nothing, or if the preset can only copy.
    func withLeastSound(_ assets: [InspectedAsset]) -> ExportPlan? {
        guard let wanted = preset.audio, wanted.codec != .copy else { return nil }
        var plan = self
        for place in audio.indices {
            let tracks = audio[place].segments.compactMap { segment in
                assets[segment.source].description.tracks.first { $0.index == segment.track }
            }
            var encoding = AudioEncoding(tracks.compactMap(\.audio), wanted)
            var rate = tracks.first?.bitRate ?? 0
            if case .encode(let known) = audio[place].mode {
                (encoding, rate) = (known, known.bitRate)
            }
            encoding.bitRate = Self.leastSoundRate * encoding.channels
            guard rate > encoding.bitRate else { continue }
            plan.audio[place].mode = .encode(encoding)
            plan.warnings.append(
                ExportWarning(
                    code: "soundLowered",
                    message: "the sound has \(encoding.bitRate / 1000) kb/s instead of "
                        + "\(rate / 1000): the size limit leaves no more"))
        }
        return plan.audio == audio ? nil : plan
    }
}

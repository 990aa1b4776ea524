extension AudioEncoding {
    /// - Parameters:
    ///   - traits: Traits of the source tracks, which may differ.
    ///   - wanted: The preset's limits.
    init(_ traits: [AudioTraits], _ wanted: AudioSettings) {
        let most = traits.map(\.channels).max() ?? 2
        let (layout, channels) = Self.layout(channels: most, limit: wanted.maxChannels)
        let rate = AudioRates.output(
            source: traits.map(\.sampleRate).max() ?? 48000, limit: wanted.maxSampleRate)
        let bitRate = min(wanted.bitRatePerChannel, AudioRates.mostBitRate(sampleRate: rate))
        self.init(
            encoder: "aac", sampleRate: rate, channelLayout: layout, channels: channels,
            bitRate: bitRate * channels)
    }

    private static func layout(channels: Int, limit: Int) -> (String, Int) {
        if channels <= 1 || limit == 1 { return ("mono", 1) }
        if channels == 2 || limit < 6 { return ("stereo", 2) }
        return ("5.1", 6)
    }
}

internal import TakeupFFmpeg

extension AudioEncoding {
    /// Search methods of FFmpeg's AAC encoder for its quantizers.
    enum Search: String {
        case fast
        /// FFmpeg's default since 5.0.
        case careful = "twoloop"
    }

    /// Bits per second and channel below which the careful search makes a tone up to 4.7 dB too
    /// loud.
    ///
    /// - Note: Source: decision 15.
    private static let carefulBitRate = 128_000

    /// Returns the encoder's settings.
    func settings(search: Search) -> EncoderSettings {
        var settings = EncoderSettings(
            encoder: encoder, timeBase: TimeBase(1, Int32(sampleRate)))
        settings.audio = format
        settings.bitRate = bitRate
        guard encoder == "aac" else { return settings }
        settings.options["aac_coder"] = search.rawValue
        // Noise shaping makes a swept tone 3 dB too loud and improves nothing.
        settings.options["aac_tns"] = "0"
        if search == .careful {
            let most = AudioRates.mostBitRate(sampleRate: sampleRate)
            settings.bitRate = max(bitRate, min(Self.carefulBitRate, most) * channels)
        }
        return settings
    }
}

/// Sample rates that AAC has, and how a source's rate is mapped to one of them.
enum AudioRates {
    /// - Note: Source: ISO/IEC 14496-3, table 1.18.
    static let aac = [
        7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]

    /// Below this, many players do not play: the sound is resampled to 24 kHz.
    static let lowest = 22050

    /// The nearest rate of AAC that loses nothing and keeps the preset's limit.
    static func output(source: Int, limit: Int) -> Int {
        guard source >= lowest else { return min(24000, max(limit, aac[0])) }
        let wanted = min(source, limit)
        return aac.first { $0 >= wanted && $0 <= limit } ?? aac.last { $0 <= limit } ?? 48000
    }

    /// Bits a second that one AAC channel can use at the most.
    ///
    /// - Note: Source: ISO/IEC 14496-3, 6,144 bits a block of 1,024 samples.
    static func mostBitRate(sampleRate: Int) -> Int { 6 * sampleRate }
}

/// The sample rates of AAC, and the mapping of a source's rate to one of them.
enum AudioRates {
    /// - Note: Source: ISO/IEC 14496-3, table 1.18.
    static let aac = [
        7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]

    /// Many players cannot play a lower rate than this, in Hz; sound below this rate is resampled
    /// to 24 kHz.
    static let lowest = 22050

    /// Returns the nearest AAC sample rate that loses nothing and stays within the preset's limit,
    /// in Hz.
    static func output(source: Int, limit: Int) -> Int {
        guard source >= lowest else { return min(24000, max(limit, aac[0])) }
        let wanted = min(source, limit)
        return aac.first { $0 >= wanted && $0 <= limit } ?? aac.last { $0 <= limit } ?? 48000
    }

    /// Returns the highest bit rate that one AAC channel can use, in bits per second.
    ///
    /// - Note: Source: ISO/IEC 14496-3, 6,144 bits a block of 1,024 samples.
    static func mostBitRate(sampleRate: Int) -> Int { 6 * sampleRate }
}

/// How a preset limits and codes the sound.
public struct AudioSettings: Sendable, Equatable {
    public var codec: AudioCodec

    /// Bits per second for each channel of the output, 8,000 to 256,000.
    public var bitRatePerChannel: Int = 64_000

    /// The most channels, 1 to 8; more are mixed down, fewer are kept.
    public var maxChannels: Int

    /// The highest sample rate, in hertz, 8,000 to 96,000; a lower one is kept.
    public var maxSampleRate: Int

    public var tracks: TrackChoice

    /// How loud the output is: integrated loudness after EBU R128 in LUFS, -40 to -5; nil leaves the sound as it is.
    public var loudness: Double?

    /// With `loudness`, the highest true peak of the output, in dBTP, -9 to 0.
    public var truePeak: Double = -1

    /// Makes settings with the defaults that a preset file gets for the keys it leaves out.
    public init(codec: AudioCodec) {
        self.codec = codec
        maxChannels = codec == .copy ? 8 : 2
        maxSampleRate = codec == .copy ? 96_000 : 48_000
        tracks = codec == .copy ? .all : .first
    }
}

extension AudioSettings: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case codec, bitRatePerChannel, maxChannels, maxSampleRate, tracks, loudness, truePeak
    }

    public init(from decoder: any Decoder) throws {
        let fields = try PresetFields<CodingKeys>(decoder)
        self.init(codec: try fields.choice(.codec, default: nil))
        tracks = try fields.choice(.tracks, default: tracks)
        if codec == .copy {
            try fields.allowOnly([.codec, .tracks], because: "a copied track is not encoded")
            return
        }
        bitRatePerChannel = try fields.integer(
            .bitRatePerChannel, in: 8_000...256_000, default: bitRatePerChannel)
        maxChannels = try fields.integer(.maxChannels, in: 1...8, default: maxChannels)
        maxSampleRate = try fields.integer(
            .maxSampleRate, in: 8_000...96_000, default: maxSampleRate)
        loudness = try fields.optionalNumber(.loudness, in: -40 ... -5)
        truePeak = try fields.number(.truePeak, in: -9...0, default: truePeak)
        if loudness == nil, fields.has(.truePeak) {
            throw fields.refusal(.truePeak, "has no meaning without 'loudness'")
        }
    }

    /// Writes every key; of copied sound the codec and the tracks alone, since nothing else applies.
    ///
    /// `loudness` and `truePeak` are left out without a loudness: presets that were stored before stay the same text,
    /// and what is cached under them stays valid.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(codec, forKey: .codec)
        try fields.encode(tracks, forKey: .tracks)
        guard codec != .copy else { return }
        try fields.encode(bitRatePerChannel, forKey: .bitRatePerChannel)
        try fields.encode(maxChannels, forKey: .maxChannels)
        try fields.encode(maxSampleRate, forKey: .maxSampleRate)
        guard let loudness else { return }
        try fields.encode(loudness, forKey: .loudness)
        try fields.encode(truePeak, forKey: .truePeak)
    }
}

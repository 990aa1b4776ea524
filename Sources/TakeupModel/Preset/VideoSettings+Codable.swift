extension VideoSettings: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case codec, maxWidth, maxHeight, orientation, fit, crf, speed, profile, bitDepth
        case dynamicRange, maxBitRate, bufferSeconds, keyframeSeconds, maxFrameRate, frameRateMode
        case frameRate, deinterlace, tune
    }

    public init(from decoder: any Decoder) throws {
        let fields = try PresetFields<CodingKeys>(decoder)
        self.init(codec: try fields.choice(.codec, default: nil))
        if codec == .copy {
            try fields.allowOnly([.codec], because: "a copied track is not encoded")
            return
        }
        try readPicture(fields)
        try readQuality(fields)
        try readTiming(fields)
    }

    /// Writes every key, null included; of copied video the codec alone, since nothing else applies.
    ///
    /// `fit` is left out where it is the default: presets that were stored before it was known stay the same text,
    /// and what is cached under them stays valid.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(codec, forKey: .codec)
        guard codec != .copy else { return }
        try fields.encode(maxWidth, forKey: .maxWidth)
        try fields.encode(maxHeight, forKey: .maxHeight)
        try fields.encode(orientation, forKey: .orientation)
        if fit != .fit { try fields.encode(fit, forKey: .fit) }
        try fields.encode(crf, forKey: .crf)
        try fields.encode(speed, forKey: .speed)
        try fields.encode(profile, forKey: .profile)
        try fields.encode(bitDepth, forKey: .bitDepth)
        try fields.encode(dynamicRange, forKey: .dynamicRange)
        try fields.encode(maxBitRate, forKey: .maxBitRate)
        try fields.encode(bufferSeconds, forKey: .bufferSeconds)
        try fields.encode(keyframeSeconds, forKey: .keyframeSeconds)
        try fields.encode(maxFrameRate, forKey: .maxFrameRate)
        try fields.encode(frameRateMode, forKey: .frameRateMode)
        try fields.encode(frameRate, forKey: .frameRate)
        try fields.encode(deinterlace, forKey: .deinterlace)
        try fields.encode(tune, forKey: .tune)
    }

    private mutating func readPicture(_ fields: PresetFields<CodingKeys>) throws {
        maxWidth = try fields.optionalInteger(.maxWidth, in: 16...16384)
        maxHeight = try fields.optionalInteger(.maxHeight, in: 16...16384)
        orientation = try fields.choice(.orientation, default: orientation)
        fit = try fields.choice(.fit, default: fit)
        if fit != .fit, maxWidth == nil || maxHeight == nil {
            throw fields.refusal(
                .fit, "'\(fit.rawValue)' needs maxWidth and maxHeight: they are the frame")
        }
        bitDepth = try fields.integer(.bitDepth, in: 8...10, default: bitDepth)
        guard bitDepth != 9 else {
            throw fields.refusal(.bitDepth, "needs 8 or 10, but holds 9")
        }
        dynamicRange = try fields.choice(.dynamicRange, default: dynamicRange)
        if dynamicRange == .keep, bitDepth == 8 {
            throw fields.refusal(
                .dynamicRange, "cannot be 'keep' with bitDepth 8: high dynamic range needs 10 bits")
        }
        deinterlace = try fields.choice(.deinterlace, default: deinterlace)
    }

    private mutating func readQuality(_ fields: PresetFields<CodingKeys>) throws {
        crf = try fields.number(.crf, in: codec.crfRange, default: crf)
        if codec == .av1, crf != crf.rounded() {
            throw fields.refusal(.crf, "needs a whole number with the av1 codec, but holds \(crf)")
        }
        speed = try fields.word(.speed, among: codec.speeds) ?? speed
        profile = try fields.word(.profile, among: codec.profiles(bitDepth: bitDepth))
        tune = try fields.word(.tune, among: codec.tunes)
        maxBitRate = try fields.optionalInteger(.maxBitRate, in: 32_000...800_000_000)
        bufferSeconds = try fields.number(.bufferSeconds, in: 0.1...10, default: bufferSeconds)
    }

    private mutating func readTiming(_ fields: PresetFields<CodingKeys>) throws {
        keyframeSeconds = try fields.number(
            .keyframeSeconds, in: 0.1...60, default: keyframeSeconds)
        maxFrameRate = try fields.optionalNumber(.maxFrameRate, in: FrameRateValue.range)
        frameRateMode = try fields.choice(.frameRateMode, default: frameRateMode)
        frameRate = try fields.frameRate(.frameRate)
        guard let frameRate else { return }
        if frameRateMode == .source {
            throw fields.refusal(.frameRate, "needs frameRateMode 'constant', or null")
        }
        if let maxFrameRate, frameRate.framesPerSecond > maxFrameRate {
            throw fields.refusal(.frameRate, "is \(frameRate), above maxFrameRate \(maxFrameRate)")
        }
    }
}

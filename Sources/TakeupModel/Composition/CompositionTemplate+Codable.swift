extension CompositionTemplate: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, description, preset, clipSeconds, fit, transition, transitionSeconds, music
    }

    public init(from decoder: any Decoder) throws {
        let fields = try PresetFields<CodingKeys>(decoder, of: "a template")
        self.init(
            name: try fields.string(.name, upTo: 64),
            description: try fields.string(.description, upTo: 400, default: ""),
            preset: try fields.string(.preset, upTo: 64))
        for (key, name) in [(CodingKeys.name, name), (.preset, preset)]
        where !ExportPreset.isName(name) {
            throw fields.refusal(key, "needs 1 to 64 of the characters A-Z a-z 0-9 . _ -")
        }
        clipSeconds = try fields.optionalNumber(.clipSeconds, in: 0.1...3600)
        fit = try fields.choice(.fit, default: fit)
        transition = try fields.word(
            .transition, among: Transition.Kind.allCases.map(\.rawValue)
        ).flatMap(Transition.Kind.init(rawValue:))
        transitionSeconds = try fields.number(
            .transitionSeconds, in: 0.04...10, default: transitionSeconds)
        if fields.has(.music) { music = try fields.settings(.music) ?? music }
    }

    /// Writes every key, null included.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(description, forKey: .description)
        try fields.encode(preset, forKey: .preset)
        try fields.encode(clipSeconds, forKey: .clipSeconds)
        try fields.encode(fit, forKey: .fit)
        try fields.encode(transition, forKey: .transition)
        try fields.encode(transitionSeconds, forKey: .transitionSeconds)
        try fields.encode(music, forKey: .music)
    }
}

extension CompositionTemplate.Music: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case volume, fadeOutSeconds, duckVolume
    }

    public init(from decoder: any Decoder) throws {
        let fields = try PresetFields<CodingKeys>(decoder, of: "a template")
        self.init()
        volume = try fields.number(.volume, in: 0...Volume.most, default: volume)
        fadeOutSeconds = try fields.number(.fadeOutSeconds, in: 0...60, default: fadeOutSeconds)
        if fields.has(.duckVolume) {
            duckVolume = try fields.optionalNumber(.duckVolume, in: 0...1)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(volume, forKey: .volume)
        try fields.encode(fadeOutSeconds, forKey: .fadeOutSeconds)
        try fields.encode(duckVolume, forKey: .duckVolume)
    }
}

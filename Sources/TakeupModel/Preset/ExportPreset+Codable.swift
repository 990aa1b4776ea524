extension ExportPreset: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, description, container, video, audio, subtitles, fastStart, sizeLimit, changes
    }

    public init(from decoder: any Decoder) throws {
        let fields = try PresetFields<CodingKeys>(decoder)
        self.init(
            name: try fields.string(.name, upTo: 64),
            description: try fields.string(.description, upTo: 400, default: ""),
            container: try fields.choice(.container, default: nil))
        guard Self.isName(name) else {
            throw fields.refusal(
                .name, "needs 1 to 64 of the characters A-Z a-z 0-9 . _ -")
        }
        video = try fields.settings(.video)
        audio = try fields.settings(.audio)
        subtitles = try fields.choice(.subtitles, default: subtitles)
        fastStart = try fields.flag(.fastStart, default: fastStart)
        sizeLimit = try fields.bytes(
            .sizeLimit, in: 10_000...ExportSettings.fileLengthLimits.upperBound)
        changes = try fields.changes(.changes)
        try checkTracks(fields)
    }

    /// Writes every key, null included; `changes` only where there are some.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(description, forKey: .description)
        try fields.encode(container, forKey: .container)
        try fields.encode(video, forKey: .video)
        try fields.encode(audio, forKey: .audio)
        try fields.encode(subtitles, forKey: .subtitles)
        try fields.encode(fastStart, forKey: .fastStart)
        try fields.encode(sizeLimit, forKey: .sizeLimit)
        if !changes.isEmpty { try fields.encode(changes.map(\.description), forKey: .changes) }
    }

    private func checkTracks(_ fields: PresetFields<CodingKeys>) throws {
        if container == .m4a {
            if video != nil { throw fields.refusal(.video, "needs null: m4a holds sound only") }
            if subtitles == .keep {
                throw fields.refusal(.subtitles, "needs 'drop': m4a holds sound only")
            }
        }
        if video == nil, audio == nil {
            throw fields.refusal(.audio, "needs settings when video is null: a file needs a track")
        }
        if sizeLimit != nil, video?.codec == .copy || audio?.codec == .copy {
            throw fields.refusal(.sizeLimit, "needs null: the size of a copied track is given")
        }
    }

    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }
}

/// The files of a composition: those of its segments, and behind them the fonts and subtitles.
extension Composition {
    /// Highest number of titles.
    package static let mostTitles = 1000
    /// Highest number of subtitles.
    package static let mostSubtitles = 32
    /// Highest number of different fonts and files of subtitles.
    package static let mostFiles = 64

    /// Every segment's source, track by track; a source that is used twice comes twice.
    public var mediaSources: [String] { tracks.flatMap { $0.segments.compactMap(\.source) } }

    /// The fonts and files of subtitles, each once, in the order in which they first come.
    public var files: [String] {
        var known: Set<String> = []
        let all =
            titles.map(\.style.font) + subtitles.compactMap(\.source)
            + subtitles.compactMap(\.style?.font)
        return all.filter { known.insert($0).inserted }
    }

    /// All that is opened for an export: `mediaSources`, then `files`.
    public var sources: [String] { mediaSources + files }

    /// Gives the sources other names.
    ///
    /// - Parameter rename: Gets each source, in the order of `sources`.
    /// - Returns: The same composition of the renamed sources.
    public func renamingSources(_ rename: (String) -> String) -> Composition {
        var renamed = self
        for track in tracks.indices {
            for segment in tracks[track].segments.indices {
                renamed.tracks[track].segments[segment].source =
                    tracks[track].segments[segment].source.map(rename)
            }
        }
        let files = files
        guard !files.isEmpty else { return renamed }
        let names = Dictionary(uniqueKeysWithValues: files.map { ($0, rename($0)) })
        for place in titles.indices {
            renamed.titles[place].style.font = names[titles[place].style.font] ?? ""
        }
        for place in subtitles.indices {
            let own = subtitles[place]
            renamed.subtitles[place].source = own.source.flatMap { names[$0] }
            renamed.subtitles[place].style?.font = own.style.flatMap { names[$0.font] } ?? ""
        }
        return renamed
    }

    /// What is wrong with titles and subtitles, or nil.
    package var textFault: String? {
        if titles.count > Self.mostTitles {
            return "it has \(titles.count) titles, but at most \(Self.mostTitles) are possible"
        }
        if subtitles.count > Self.mostSubtitles {
            return "it has \(subtitles.count) subtitles, but at most \(Self.mostSubtitles) are "
                + "possible"
        }
        for (place, title) in titles.enumerated() {
            if let fault = title.fault { return "title \(place + 1) \(fault)" }
        }
        for (place, own) in subtitles.enumerated() {
            if let fault = own.fault { return "subtitles \(place + 1) \(fault)" }
        }
        if files.count > Self.mostFiles {
            return "it has \(files.count) fonts and files of subtitles, but at most "
                + "\(Self.mostFiles) are possible"
        }
        let draws = !titles.isEmpty || subtitles.contains { $0.style != nil }
        guard draws, tracks.allSatisfy({ $0.media == .audio }) else { return nil }
        return "it has text to draw, but no pictures"
    }
}

extension Composition: Codable {
    private enum CodingKeys: String, CodingKey {
        case tracks, background, titles, subtitles
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        // Compositions that were written before have neither titles nor subtitles.
        self.init(
            tracks: try fields.decode([Track].self, forKey: .tracks),
            background: try fields.decodeIfPresent(PictureColor.self, forKey: .background),
            titles: try fields.decodeIfPresent([Title].self, forKey: .titles) ?? [],
            subtitles: try fields.decodeIfPresent([Subtitles].self, forKey: .subtitles) ?? [])
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(tracks, forKey: .tracks)
        try fields.encodeIfPresent(background, forKey: .background)
        if !titles.isEmpty { try fields.encode(titles, forKey: .titles) }
        if !subtitles.isEmpty { try fields.encode(subtitles, forKey: .subtitles) }
    }
}

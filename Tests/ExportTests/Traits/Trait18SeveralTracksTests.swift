import TakeupExport
import TestSupport
import Testing

@Suite("Trait 18: several audio tracks", .tags(.media))
struct Trait18SeveralTracksTests {
    static let tones = [400, 700, 1000]
    static let languages = ["eng", "deu", "fra"]

    @Test(
        "all go along with language, title and one default",
        arguments: ["tracks.mkv", "tracks.mp4"])
    func keepsAll(_ name: String) async throws {
        let made = try await TraitExport(try Self.clip(name, default: 1), try .hasty("highest"))
        try made.expectSound()
        let tracks = try MediaTools.probe(made.path).streams("audio")
        try #require(tracks.count == 3)
        #expect(tracks.map(\.language) == Self.languages)
        #expect(tracks.map { $0.disposition?["default"] } == [0, 1, 0])
        if name.hasSuffix("mkv") {
            #expect(
                tracks[2].tags?["title"] == "Commentary"
                    || tracks[2].tags?["handler_name"] == "Commentary")
        }
        for (place, tone) in Self.tones.enumerated() {
            #expect(abs(try Sound(made.path, stream: place).pitch() - Double(tone)) <= 1)
        }
        let facts = try MediaTools.mediaInfo(made.path).filter { $0.type == "Audio" }
        #expect(facts.map { $0["Language"] } == ["en", "de", "fr"])
    }

    @Test("a preset of one track takes the default one", arguments: [0, 1, 2])
    func takesDefault(_ place: Int) async throws {
        let clip = try Self.clip("tracks.mkv", default: place)
        let made = try await TraitExport(clip, try .hasty("640x480"))
        try made.expectSound()
        let tracks = try MediaTools.probe(made.path).streams("audio")
        try #require(tracks.count == 1)
        #expect(tracks[0].language == Self.languages[place])
        #expect(tracks[0].disposition?["default"] == 1)
        #expect(abs(try Sound(made.path).pitch() - Double(Self.tones[place])) <= 1)
        #expect(made.plan.decisions.filter { $0.choice == "dropped" }.count == 2)
    }

    @Test("three tracks that all claim to be the default yield the first, and one default")
    func mendsDefaults() async throws {
        let clip = try Self.clip("tracks.mkv", default: nil)
        let one = try await TraitExport(clip, try .hasty("640x480"))
        #expect(try one.audio().language == "eng")
        let all = try await TraitExport(clip, try .hasty("highest"))
        let tracks = try MediaTools.probe(all.path).streams("audio")
        #expect(tracks.map { $0.disposition?["default"] } == [1, 0, 0])
    }

    /// Three tones in three languages; the default one is at `place`, nil marks all.
    private static func clip(_ name: String, default place: Int?) throws -> Clip {
        var arguments = Clip.picture(size: "160x120", seconds: 1)
        for tone in tones { arguments += Clip.tone(frequency: tone, seconds: 1) }
        arguments += ["-map", "0", "-map", "1", "-map", "2", "-map", "3"]
        for (index, language) in languages.enumerated() {
            let isDefault = place == nil || place == index
            arguments += ["-metadata:s:a:\(index)", "language=\(language)"]
            arguments += ["-disposition:a:\(index)", isDefault ? "default" : "0"]
        }
        return try Clip.make(
            name,
            arguments + [
                "-metadata:s:a:2", "title=Commentary", "-c:v", "libx264", "-preset", "ultrafast",
                "-c:a", "aac",
            ])
    }
}

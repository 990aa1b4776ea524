@testable import TakeupFetch
import Testing

@Suite("Variant choice")
struct VariantChoiceTests {
    static let sizes = [(640, 360), (1280, 720), (1920, 1080), (3840, 2160)]

    @Test(
        "takes the smallest that fills the wanted size, else the largest",
        arguments: [
            (640, 360, 360), (641, 361, 720), (1280, 720, 720), (1920, 1080, 1080),
            (7680, 4320, 2160), (16, 16, 360), (1440, 1080, 1080),
        ])
    func size(width: Int, height: Int, chosen: Int) throws {
        let variants = Self.sizes.map { variant($0, bandwidth: 1) }
        for order in [variants, variants.reversed()] {
            let choice = VariantChoice(
                MasterPlaylist(variants: order, renditions: []),
                within: PictureLimit(maxWidth: width, maxHeight: height))
            #expect(choice?.variant.height == chosen)
        }
    }

    @Test("takes the largest where nothing limits it, and one side alone as a limit")
    func noLimit() {
        let master = MasterPlaylist(
            variants: Self.sizes.map { variant($0, bandwidth: 1) }, renditions: [])
        let free = VariantChoice(master)
        #expect(free?.variant.height == 2160)
        let flat = VariantChoice(
            master, within: PictureLimit(maxHeight: 700))
        #expect(flat?.variant.height == 720)
    }

    @Test("knows that a wide picture fills a size by its width")
    func wide() {
        let master = MasterPlaylist(
            variants: [variant((1280, 536), bandwidth: 1), variant((1920, 804), bandwidth: 2)],
            renditions: [])
        let choice = VariantChoice(
            master, within: PictureLimit(maxWidth: 1280, maxHeight: 720))
        #expect(choice?.variant.height == 536)
    }

    @Test("takes the highest bit rate of one size, then the first")
    func bandwidth() {
        let variants = [
            variant((1280, 720), bandwidth: 2, "a"), variant((1280, 720), bandwidth: 3, "b"),
            variant((1280, 720), bandwidth: 3, "c"),
        ]
        let master = MasterPlaylist(variants: variants, renditions: [])
        let choice = VariantChoice(master, within: PictureLimit(maxWidth: 1, maxHeight: 1))
        #expect(choice?.variant.uri == "b")
    }

    @Test("takes sound alone, or an unknown size, only where there is no better")
    func lesser() {
        let sound = variant(nil, bandwidth: 9, "sound", codecs: ["mp4a.40.2"])
        let unknown = variant(nil, bandwidth: 1, "unknown")
        let small = variant((64, 36), bandwidth: 1, "small")
        for (variants, chosen) in [
            ([sound], "sound"), ([sound, unknown], "unknown"), ([unknown, small, sound], "small"),
        ] {
            let master = MasterPlaylist(variants: variants, renditions: [])
            let choice = VariantChoice(
                master, within: PictureLimit(maxWidth: 1920, maxHeight: 1080))
            #expect(choice?.variant.uri == chosen)
        }
        let none = MasterPlaylist(variants: [], renditions: [])
        #expect(VariantChoice(none) == nil)
    }

    @Test(
        "chooses the sound by language, then the default, then the first",
        arguments: [
            ([], "English"), (["de"], "Deutsch"), (["DE-AT"], "English"), (["pt"], "Brasil"),
            (["fr", "de"], "Deutsch"), (["fr"], "English"),
        ] as [([String], String)])
    func audio(languages: [String], name: String) {
        let renditions = [
            rendition("Deutsch", "de"), rendition("English", "en", isDefault: true),
            rendition("Brasil", "pt-BR"), rendition("Other", "de", group: "other"),
        ]
        let master = MasterPlaylist(
            variants: [variant((16, 16), bandwidth: 1, audio: "aac")], renditions: renditions)
        let choice = VariantChoice(master, languages: languages)
        #expect(choice?.audio?.name == name)
    }

    @Test("leaves the sound to the variant when it names no group that is there")
    func noGroup() {
        for group in [nil, "missing"] {
            let master = MasterPlaylist(
                variants: [variant((16, 16), bandwidth: 1, audio: group)],
                renditions: [rendition("English", "en")])
            let choice = VariantChoice(master)
            #expect(choice != nil && choice?.audio == nil)
        }
    }

    @Test(
        "turns the size with the picture, if that is wanted",
        arguments: [
            (1280, 720, true, 1280), (720, 1280, true, 1280), (1920, 1080, false, 1280),
            (1080, 1920, true, 1920), (1920, 1080, true, 1920), (700, 8000, false, 1280),
        ])
    func turned(width: Int, height: Int, turns: Bool, chosen: Int) {
        let variants = [(360, 640), (720, 1280), (1080, 1920)].map { variant($0, bandwidth: 1) }
        let choice = VariantChoice(
            MasterPlaylist(variants: variants, renditions: []),
            within: PictureLimit(maxWidth: width, maxHeight: height, turns: turns))
        #expect(choice?.variant.height == chosen)
    }

    /// A variant of a size, its sound apart, inside, or told to be none.
    private func master(_ variants: [(Int, Character)]) -> MasterPlaylist {
        MasterPlaylist(
            variants: variants.map { height, sound in
                variant(
                    (height * 16 / 9, height), bandwidth: 1, "\(sound)\(height)",
                    codecs: sound == "n" ? ["avc1.4d401f"] : ["avc1.4d401f", "mp4a.40.2"],
                    audio: sound == "a" ? "aac" : nil)
            }, renditions: [rendition("English", "en")])
    }

    @Test("prefers a variant that holds its sound, if its pictures lose nothing")
    func soundInside() {
        for (variants, chosen) in [
            ([(720, "a"), (720, "i")], "i720"), ([(720, "a"), (1080, "i")], "i1080"),
            ([(720, "a"), (360, "i")], "a720"), ([(720, "i"), (1080, "a")], "i720"),
            ([(720, "a"), (720, "n")], "a720"),
            ([(720, "a"), (2160, "i"), (1080, "i")], "i1080"),
        ] as [([(Int, Character)], String)] {
            let choice = VariantChoice(
                master(variants), within: PictureLimit(maxWidth: 1280, maxHeight: 720))
            #expect(choice?.variant.uri == chosen)
            #expect((choice?.audio == nil) == (chosen.first == "i"))
        }
        #expect(VariantChoice(master([(1080, "a"), (720, "i")]))?.variant.uri == "a1080")
        #expect(VariantChoice(master([(1080, "a"), (1080, "i")]))?.variant.uri == "i1080")
    }

    private func variant(
        _ size: (Int, Int)?, bandwidth: Int64, _ uri: String = "v", codecs: [String] = [],
        audio: String? = nil
    ) -> MasterPlaylist.Variant {
        MasterPlaylist.Variant(
            uri: uri, bandwidth: bandwidth, width: size?.0, height: size?.1, codecs: codecs,
            audioGroup: audio)
    }

    private func rendition(
        _ name: String, _ language: String, isDefault: Bool = false, group: String = "aac"
    ) -> MasterPlaylist.Rendition {
        MasterPlaylist.Rendition(
            kind: .audio, group: group, name: name, uri: name, language: language,
            isDefault: isDefault, isAutomatic: false)
    }
}

import Foundation
import TakeupTimeline
import Testing

@testable import TakeupModel

@Suite("Templates of compositions")
struct CompositionTemplateTests {
    private static let whole = CompositionTemplate(
        name: "x", description: "d", preset: "stories", clipSeconds: 6, fit: .fill,
        transition: .wipeLeft, transitionSeconds: 0.25,
        music: .init(volume: 1, fadeOutSeconds: 0, duckVolume: nil))

    @Test("lay clips out one after another, and music under them")
    func composition() throws {
        let made = Self.whole.composition(of: ["a", "b"], music: "m")
        #expect(made.fault == nil && made.sources == ["a", "b", "m"])
        #expect(made.tracks.map(\.media) == [.all, .audio])
        let film = made.tracks[0]
        #expect(film.layout == Layout(fit: .fill))
        #expect(film.segments.map(\.most) == [6, 6])
        #expect(film.segments.map(\.transition) == [nil, Transition(.wipeLeft, 0.25)])
        #expect(made.tracks[1].loop == Looping(fadeOut: 0))
        #expect(made.tracks[1].volume == nil && made.tracks[1].duck == nil)
        var template = Self.whole
        (template.music.duckVolume, template.music.volume) = (0.25, 0.5)
        (template.transition, template.clipSeconds) = (nil, nil)
        let other = template.composition(of: ["a", "b"], music: "m")
        #expect(other.tracks[1].duck == Ducking(under: 0, to: 0.25))
        #expect(other.tracks[1].volume == Volume(0.5))
        #expect(other.tracks[0].segments == [.init(source: "a"), .init(source: "b")])
        #expect(template.composition(of: ["a"]).tracks.count == 1)
    }

    @Test("that differ make other work")
    func keys() {
        var keys: Set<[String]?> = []
        for change: (inout CompositionTemplate) -> Void in [
            { _ in }, { $0.clipSeconds = 5 }, { $0.clipSeconds = nil }, { $0.fit = .fit },
            { $0.transition = nil }, { $0.transitionSeconds = 1 }, { $0.music.volume = 0.5 },
            { $0.music.fadeOutSeconds = 1 }, { $0.music.duckVolume = 0.5 },
        ] {
            var template = Self.whole
            change(&template)
            keys.insert(template.composition(of: ["a", "b"], music: "m").parts)
        }
        #expect(keys.count == 9 && !keys.contains(nil))
    }

    @Test("come back from their files, with defaults for what is not said")
    func file() throws {
        let bytes = try JSONEncoder().encode(Self.whole)
        #expect(try CompositionTemplate.decode(bytes, from: "x") == Self.whole)
        let least = Data(#"{"name": "y", "preset": "low"}"#.utf8)
        #expect(
            try CompositionTemplate.decode(least, from: "y")
                == CompositionTemplate(name: "y", preset: "low"))
    }

    @Test(
        "with a fault are refused by its key",
        arguments: [
            (#""clipSeconds": 0"#, "'clipSeconds' needs"), (#""fit": "zoom""#, "'fit' needs"),
            (#""transition": "melt""#, "'transition' needs"),
            (#""clips": 1"#, "a key of a template"),
            (#""music": {"volume": 11}"#, "'music.volume' needs"),
            (#""music": {"loud": 1}"#, "'music.loud' is not a key of a template"),
            (#""name": "a/b""#, "'name' needs"), (#""preset": """#, "'preset' needs"),
            ("]", "is not valid JSON"),
        ])
    func faults(member: String, words: String) {
        let start = member.contains("name") ? "" : #""name": "x", "#
        let preset = member.contains("preset") ? "" : #""preset": "low", "#
        let error = #expect(throws: Failure.self) {
            try CompositionTemplate.decode(Data("{\(start)\(preset)\(member)}".utf8), from: "f")
        }
        #expect(error?.exitCode == .configuration && error?.code == "templateInvalid")
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("are no way around the rules of compositions")
    func rules() {
        func fault(_ change: (inout Composition) -> Void) -> String? {
            var made = Self.whole.composition(of: ["a", "b"], music: "m")
            change(&made)
            return made.fault
        }
        #expect(fault { $0.tracks[0].segments[0].most = 0 }?.contains("at most") == true)
        #expect(
            fault { $0.tracks[0].segments[0].range = TimeRange(start: 0, duration: 1) }?
                .contains("without another end") == true)
        #expect(fault { $0.tracks[0].loop = Looping() }?.contains("track of audio") == true)
        #expect(fault { $0.tracks.remove(at: 0) }?.contains("no other track") == true)
        #expect(fault { $0.tracks[1].loop = Looping(fadeOut: 61) }?.contains("0 to 60") == true)
        #expect(
            fault {
                $0.tracks[1].segments.append(.init(source: "n"))
                $0.tracks[1].segments[1].transition = Transition(.dissolve, 1)
            }?.contains("with transitions") == true)
    }
}

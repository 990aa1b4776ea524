import Foundation
import TakeupModel
import TakeupTimeline
import Testing

@Suite("Titles and subtitles of compositions")
struct TitleModelTests {
    private let style = TextStyle(font: "/f.ttf")

    private func composition(_ titles: [Title], _ subtitles: [Subtitles] = []) -> Composition {
        Composition(tracks: [.init(.all, ["a.mov"])], titles: titles, subtitles: subtitles)
    }

    @Test("what is opened is the media, then each font and file once, renamed in this order")
    func sources() {
        var other = style
        other.font = "/g.ttf"
        let whole = composition(
            [Title("a", style: style), Title("b", style: other), Title("c", style: style)],
            [Subtitles(source: "/s.srt", style: style), Subtitles(style: other)])
        #expect(whole.mediaSources == ["a.mov"])
        #expect(whole.sources == ["a.mov", "/f.ttf", "/g.ttf", "/s.srt"])
        var asked: [String] = []
        let renamed = whole.renamingSources {
            asked.append($0)
            return "x\($0)"
        }
        #expect(asked == whole.sources)
        #expect(renamed.sources == whole.sources.map { "x\($0)" })
        #expect(renamed.renamingSources { String($0.dropFirst()) } == whole)
    }

    @Test("a fault names the title or the subtitles")
    func faults() {
        var large = style
        large.size = .share(2)
        var wide = style
        wide.position = .point(x: 2, y: 0, anchor: .top)
        let good = Title("a", style: style)
        for (title, words) in [
            (Title(" \n", style: style), "has no text"),
            (Title("a\u{0}", style: style), "control character"),
            (Title("a", style: style, start: MediaTime(seconds: Int64(-1))), "begins before 0"),
            (Title("a", style: style, duration: .zero), "lasts no time"),
            (
                Title(
                    "a", style: style, duration: MediaTime(seconds: Int64(1)),
                    fadeIn: MediaTime(seconds: 0.6), fadeOut: MediaTime(seconds: 0.6)),
                "but its fades"
            ),
            (Title("a", style: large), "has a size of 2.0"), (Title("a", style: wide), "stands at"),
            (Title("a", style: style, opacity: Ramped(2)), "has an opacity"),
        ] {
            let fault = composition([good, title]).fault ?? ""
            #expect(fault.hasPrefix("title 2 ") && fault.contains(words), "\(fault)")
        }
        for (subtitles, words) in [
            (Subtitles(), "names no file and is not drawn"),
            (Subtitles(source: "s", language: "english"), "three letters"),
            (Subtitles(source: "s", title: "x", style: style), "has a title, but is drawn"),
        ] {
            #expect(composition([], [subtitles]).fault?.contains(words) == true)
        }
        #expect(composition([good]).fault == nil)
        let sound = Composition(tracks: [.init(.audio, ["a"])], titles: [good])
        #expect(sound.fault == "it has text to draw, but no pictures")
        let all = Array(repeating: good, count: 1001)
        #expect(composition(all).fault == "it has 1001 titles, but at most 1000 are possible")
    }

    @Test("every field of a title makes other work; the name of its font does not")
    func keys() {
        let base = Title("a", style: style)
        var titles = [base, Title("b", style: style), Title("a\n", style: style)]
        for change: (inout Title) -> Void in [
            { $0.start = MediaTime(seconds: Int64(1)) },
            { $0.duration = MediaTime(seconds: Int64(1)) },
            { $0.fadeIn = MediaTime(seconds: Int64(1)) },
            { $0.fadeOut = MediaTime(seconds: Int64(1)) }, { $0.opacity = Ramped(0.5) },
            { $0.style.size = .share(0.5) }, { $0.style.size = .pixels(50) },
            { $0.style.color = .black }, { $0.style.outline = .black },
            { ($0.style.outline, $0.style.outlineWidth) = (.black, 0.1) },
            { $0.style.box = .black }, { ($0.style.box, $0.style.boxOpacity) = (.black, 1) },
            { $0.style.position = .place(.top) },
            { $0.style.position = .point(x: 0, y: 0, anchor: .top) },
        ] {
            var title = base
            change(&title)
            titles.append(title)
        }
        let keys = titles.map { composition([$0]).parts ?? [] }
        #expect(Set(keys).count == titles.count && !keys.contains([]))
        var renamed = base
        renamed.style.font = "/other.ttf"
        #expect(composition([renamed]).parts == keys[0])
        let tracks = [
            Subtitles(source: "s"), Subtitles(source: "s", style: style), Subtitles(style: style),
            Subtitles(source: "s", language: "eng"), Subtitles(source: "s", title: "x"),
            Subtitles(source: "s", start: MediaTime(seconds: Int64(1))),
        ]
        #expect(Set(tracks.map { composition([], [$0]).parts ?? [] }).count == tracks.count)
    }

    @Test("compositions are stored with their titles")
    func stored() throws {
        let whole = composition(
            [Title("a\n\"b\"", style: style, opacity: Ramped(0.5))],
            [Subtitles(source: "/s.srt", language: "eng")])
        let read = try JSONDecoder().decode(
            Composition.self, from: try JSONEncoder().encode(whole))
        #expect(read == whole)
    }
}

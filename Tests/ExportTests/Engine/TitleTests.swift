import Foundation
import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Exports with titles", .tags(.media))
struct TitleTests {
    static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    private static let white = PictureColor(red: 255, green: 255, blue: 255)

    private func style(
        _ position: TextStyle.Position = .place(.center), size: TextStyle.Size = .pixels(60),
        box: PictureColor? = nil
    ) -> TextStyle {
        TextStyle(font: Self.font, size: size, box: box, boxOpacity: 1, position: position)
    }

    private func film(seconds: Double = 4) throws -> String {
        try LayerFixture.flat(
            "dark.mp4", .init(60, 128, 128), size: "320x192", rate: 10, seconds: seconds)
    }

    private func composition(
        _ titles: [Title], _ film: String? = nil, subtitles: [Subtitles] = []
    ) throws -> Composition {
        Composition(
            tracks: [.init(.all, [try film ?? self.film()])], titles: titles,
            subtitles: subtitles)
    }

    /// The mean of a rectangle's luma.
    private func mean(
        _ picture: LayerFixture.Shown, _ x: Range<Int>, _ y: Range<Int>
    ) -> Double {
        let sum = y.reduce(0.0) { sum, row in x.reduce(sum) { $0 + picture.luma($1, row) } }
        return sum / Double(x.count * y.count)
    }

    /// Where samples are brighter than the film.
    private func lit(_ picture: LayerFixture.Shown) -> (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
        var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
        for y in 0..<picture.height {
            for x in 0..<picture.width where picture.luma(x, y) > 150 {
                (left, right) = (min(left, x), max(right, x))
                (top, bottom) = (min(top, y), max(bottom, y))
            }
        }
        return left <= right ? (left...right, top...bottom) : nil
    }

    @Test("a title comes, stays and goes: exact at five times")
    func fades() async throws {
        // A box of one colour behind a letter: its corner tells how much of the title is seen.
        var title = Title(
            "i", style: style(box: Self.white), start: 1, duration: 2, fadeIn: 0.5, fadeOut: 0.5)
        title.style.color = PictureColor(red: 0, green: 0, blue: 0)
        let trial = try ExportTrial()
        let (pictures, _, plan) = try await LayerFixture.export(
            try composition([title]), in: trial)
        #expect(pictures.count == 40)
        let full = try #require(lit(pictures[20]))
        let (x, y) = (full.x.lowerBound + 2, full.y.lowerBound + 2)
        // White is 235 in limited range; the film is 60. Before, fading in, full, fading out, after.
        for (index, share) in [(9, 0), (12, 0.4), (20, 1), (27, 0.6), (30, 0.0)] {
            let wanted = 60 + (235 - 60) * share
            #expect(abs(pictures[index].luma(x, y) - wanted) <= 3, "picture \(index)")
        }
        // The letter is black, in the middle of the box and of the picture.
        let darkest = full.x.min { pictures[20].luma($0, 96) < pictures[20].luma($1, 96) } ?? 0
        #expect(abs(darkest - 160) < 12 && pictures[20].luma(darkest, 96) < 60)
        #expect(plan.decisions.contains { $0.subject == "title 1" && $0.choice.contains("\"i\"") })
        #expect(plan.tracks.first?.titles?.count == 1)
    }

    @Test("an opacity ramp counts on the timeline, and a range takes its part")
    func ramps() async throws {
        var title = Title("i", style: style(box: Self.white))
        title.style.color = Self.white
        title.opacity = LayerFixture.ramp(0.0, 1.0, 1, 2)
        let trial = try ExportTrial()
        let (pictures, _, _) = try await LayerFixture.export(
            try composition([title]), in: trial,
            settings: ExportTrial.settings(from: 1, to: 4))
        let full = try #require(lit(pictures[25]))
        let (x, y) = (full.x.lowerBound + 4, full.y.lowerBound + 4)
        for (index, share) in [(0, 0.0), (5, 0.25), (10, 0.5), (20, 1), (29, 1)] {
            #expect(abs(pictures[index].luma(x, y) - (60 + 175 * share)) <= 3, "picture \(index)")
        }
    }

    @Test("text stands where it should, inside the margins", arguments: TextStyle.Place.allCases)
    func places(place: TextStyle.Place) async throws {
        let trial = try ExportTrial()
        let titles = [Title("Hxg", style: style(.place(place), size: .share(0.2)))]
        let film = try film(seconds: 1)
        let (pictures, _, _) = try await LayerFixture.export(
            try composition(titles, film), in: trial)
        let found = try #require(lit(pictures[5]))
        // 5 % of 320 and 192.
        let word = place.rawValue.lowercased()
        if word.contains("left") { #expect((15...22).contains(found.x.lowerBound)) }
        if word.contains("right") { #expect((297...305).contains(found.x.upperBound)) }
        if word.contains("top") { #expect((9...24).contains(found.y.lowerBound)) }
        if word.contains("bottom") { #expect((168...183).contains(found.y.upperBound)) }
        if !word.contains("left") && !word.contains("right") {
            #expect(abs(found.x.lowerBound + found.x.upperBound - 320) <= 8)
        }
    }

    @Test("an exact point holds the anchor; the size is the height of a line")
    func point() async throws {
        let trial = try ExportTrial()
        let at = TextStyle.Position.point(x: 0.25, y: 0.5, anchor: .left)
        let title = Title("Hg", style: style(at, size: .pixels(48), box: Self.white))
        let (pictures, _, _) = try await LayerFixture.export(
            try composition([title], try film(seconds: 1)), in: trial)
        let found = try #require(lit(pictures[5]))
        // A quarter of the size is around the text: 48 + 2 · 12.
        #expect(abs(found.y.count - 72) <= 3, "\(found)")
        #expect(abs(found.y.lowerBound + found.y.upperBound - 192) <= 4)
        #expect(abs(found.x.lowerBound - (80 - 12)) <= 4, "\(found)")
    }

    @Test("lines are kept, and long ones are broken")
    func lines() async throws {
        let trial = try ExportTrial()
        let words = Array(repeating: "word", count: 20).joined(separator: " ")
        let titles = [
            Title("a\nb\nc", style: style(size: .pixels(20)), duration: 0.5),
            Title(words, style: style(size: .pixels(20)), start: 0.5),
        ]
        let (pictures, _, _) = try await LayerFixture.export(
            try composition(titles, try film(seconds: 1)), in: trial)
        let three = try #require(lit(pictures[2])), broken = try #require(lit(pictures[8]))
        #expect((45...62).contains(three.y.count), "\(three)")
        #expect(broken.x.lowerBound >= 15 && broken.x.upperBound <= 305 && broken.y.count > 40)
    }

    @Test(
        "hostile text is text: it is drawn, and means nothing",
        arguments: [
            "%{pts} %{eif:1:d}", "a:b='c',d;[e]\\", "\\N\\n\\h\\{",
            "{\\an7\\fs200}i{\\p1}m 0 0 l 9 9",
            "Dialogue: 0,0:00:00.00,9:00:00.00,T,,0,0,0,,x", "שלום سلام", "a\u{202E}b\u{2066}c",
            "[Fonts]\nfontname: x\n!!!!", "&amp;<b>\u{FEFF}",
        ])
    func hostile(text: String) async throws {
        let trial = try ExportTrial()
        let title = Title(text, style: style(size: .pixels(24)))
        let (pictures, report, _) = try await LayerFixture.export(
            try composition([title], try film(seconds: 1)), in: trial)
        let found = try #require(lit(pictures[5]))
        // Smaller than a drawing or letters of 200 pixels, and in the middle.
        #expect(found.y.count < 100 && abs(found.y.lowerBound + found.y.upperBound - 192) < 24)
        #expect(report.frames == 10)
    }

    @Test("ten thousand characters are drawn as far as they fit")
    func long() async throws {
        let trial = try ExportTrial()
        let title = Title(
            String(repeating: "long text ", count: 1000), style: style(size: .pixels(8)))
        let (pictures, _, _) = try await LayerFixture.export(
            try composition([title], try film(seconds: 1)), in: trial)
        #expect(mean(pictures[5], 30..<290, 20..<170) > 75)
        var longer = title
        longer.text += "."
        let fault = try composition([longer]).fault
        #expect(fault == "title 1 has 10001 characters, but at most 10000 are possible")
    }

    @Test("letters that the font lacks are told")
    func missing() async throws {
        let title = Title("a漢\u{200D} \u{202E}b", style: style())
        let request = ExportRequest(
            try composition([title]), preset: try LayerFixture.preset())
        let warnings = try await ExportSession(request).plan().warnings
        let own = warnings.filter { $0.code == "lettersMissing" }
        #expect(own.count == 1 && own[0].message.contains("1 letters of title 1: 漢"))
    }

    @Test("a missing font, and one that is none, are refused by name")
    func badFont() async throws {
        let trial = try ExportTrial()
        let whole = try Data(contentsOf: URL(filePath: Self.font))
        try whole.prefix(3000).write(to: URL(filePath: trial.file("cut.ttf")))
        try Data("no font".utf8).write(to: URL(filePath: trial.file("text.ttf")))
        for (name, code) in [
            ("cut.ttf", "unsupported"), ("text.ttf", "unsupported"), ("no.ttf", ""),
        ] {
            var own = style()
            own.font = trial.file(name)
            let request = ExportRequest(
                try composition([Title("a", style: own)]), preset: try LayerFixture.preset())
            let error = await #expect(throws: ExportError.self) {
                _ = try await ExportSession(request).export(to: trial.file("out.mp4"))
            }
            switch error {
            case .unsupported(let subject, let reason):
                #expect(code == "unsupported" && subject == own.font && reason.contains("no font"))
            case .inputMissing(let subject): #expect(code.isEmpty && subject == own.font)
            default: Issue.record("\(String(describing: error))")
            }
        }
        #expect(try trial.names().sorted() == ["cut.ttf", "text.ttf"])
    }

    @Test("a title behind the end is refused, one outside of the range is left out")
    func behind() async throws {
        let titles = [Title("a", style: style(), start: 1, duration: 1)]
        let late = try composition(titles + [Title("b", style: style(), start: 4)])
        let error = await #expect(throws: ExportError.self) {
            _ = try await ExportSession(
                ExportRequest(late, preset: try LayerFixture.preset())
            ).plan()
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("title 2 begins at"))
        let plan = try await ExportSession(
            ExportRequest(
                try composition(titles), preset: try LayerFixture.preset(),
                settings: ExportTrial.settings(from: 2.5, to: 3))
        ).plan()
        #expect(plan.video?.composition?.titles == [])
    }

    @Test("a preset that copies refuses titles")
    func copies() async throws {
        let trial = try ExportTrial()
        let request = ExportRequest(
            try composition([Title("a", style: style())]),
            preset: try ExportPreset.named("passthrough"))
        let error = await #expect(throws: ExportError.self) {
            _ = try await ExportSession(request).export(to: trial.file("out.mp4"))
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("no copy can be"))
    }
}

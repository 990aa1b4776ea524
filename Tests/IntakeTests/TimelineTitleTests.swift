import Foundation
import TakeupIntake
import TakeupModel
import TakeupTimeline
import Testing

@Suite("Titles and subtitles of timeline files")
struct TimelineTitleTests {
    private static func timeline(_ members: String) -> String {
        #"{"version": 1, "tracks": [{"segments": ["a.mov"]}], \#(members)}"#
    }

    private static func read(_ text: String) throws -> Composition {
        try TimelineFile.read(Array(text.utf8), name: "/w/t.takeup.json") { [] }.composition
    }

    private static let full = timeline(
        #"""
        "titles": [
          {"text": "One\r\ntwo \\ %{pts} : ' \u2028", "font": "f.ttf", "size": "48px",
           "color": "#ff8000", "outline": "#000000", "outlineWidth": 0.1, "box": "#102030",
           "boxOpacity": 0.25, "position": {"x": 0.5, "y": 0.25, "anchor": "topLeft"},
           "start": "1/2", "duration": 4, "fadeIn": "0.25", "fadeOut": 1, "opacity": 0.5,
           "opacityRamps": [{"start": 1, "duration": 1, "from": 0.5, "to": 1}]},
          {"text": "x", "font": "/g.ttf", "position": "topRight", "start": 1, "end": 3}],
        "subtitles": [
          {"source": "de.srt", "start": 2, "language": "ger", "title": "Deutsch"},
          {"draw": {"font": "f.ttf", "size": 0.05}, "language": "eng"}]
        """#)

    @Test("all fields are read, and what is written is read again")
    func fields() throws {
        let read = try Self.read(Self.full)
        let title = try #require(read.titles.first)
        #expect(title.text == "One\ntwo \\ %{pts} : ' \u{2028}" && title.style.font == "/w/f.ttf")
        #expect(title.style.size == .pixels(48) && title.style.boxOpacity == 0.25)
        #expect(title.style.position == .point(x: 0.5, y: 0.25, anchor: .topLeft))
        #expect(title.start == MediaTime(value: 1, timescale: 2))
        #expect(
            title.fadeIn == MediaTime(value: 1, timescale: 4) && title.opacity?.ramps.count == 1)
        #expect(read.titles[1].duration == MediaTime(seconds: Int64(2)))
        #expect(read.titles[1].style.size == .share(0.08))
        #expect(read.subtitles.map(\.source) == ["/w/de.srt", nil])
        #expect(read.subtitles[1].style?.outline == .black)
        #expect(read.sources == ["/w/a.mov", "/w/f.ttf", "/g.ttf", "/w/de.srt"])
        #expect(try Self.read(read.timelineJSON.description) == read)
        #expect(read.needsTimeline)
        #expect(throws: BatchListError.self) {
            _ = try TimelineFile.text(of: read, at: "/x.otio")
        }
    }

    @Test("a title without a font takes a usual one of this machine")
    func standardFont() throws {
        let font = try #require(StandardFont.path())
        #expect(FileManager.default.isReadableFile(atPath: font))
        let read = try Self.read(Self.timeline(#""titles": [{"text": "a"}]"#))
        #expect(read.titles.first?.style.font == font)
        #expect(StandardFont.path(among: ["/none.ttf", font]) == font)
        #expect(StandardFont.path(among: ["/none.ttf"]) == nil)
    }

    static let faults = [
        (#""titles": []"#, "needs a list of 1 to 1000"),
        (#""titles": [{"txt": "a"}]"#, "did you mean 'text'"),
        (#""titles": [{"start": 1}]"#, "title 1, text: is missing"),
        (#""titles": [{"text": 5}]"#, "needs a text"),
        (#""titles": [{"text": "a"}, {"text": " \n"}]"#, "title 2 has no text"),
        (#""titles": [{"text": "a", "end": 2, "duration": 2}]"#, "cannot stand beside end"),
        (
            #""titles": [{"text": "a", "font": "https://example.com/f.ttf"}]"#,
            "title 1, font: is an"
        ),
        (#""titles": [{"text": "a", "size": "48"}]"#, "needs a part of the height"),
        (#""titles": [{"text": "a", "size": 2}]"#, "title 1 has a size of 2.0"),
        (#""titles": [{"text": "a", "position": "middle"}]"#, "it may be bottomLeft"),
        (#""titles": [{"text": "a", "position": {"x": 0.5}}]"#, "position, y: is missing"),
        (#""titles": [{"text": "a", "color": "white"}]"#, "needs a colour"),
        (#""titles": [{"text": "a", "boxOpacity": 2}]"#, "box of the opacity 2.0"),
        (#""subtitles": [{"language": "eng"}]"#, "names no file and is not drawn"),
        (#""subtitles": [{"source": "a.srt", "language": "en"}]"#, "three letters"),
        (#""subtitles": [{"source": "a.srt", "title": "x", "draw": {}}]"#, "but is drawn"),
        (#""subtitles": [{"draw": {}, "start": 2}]"#, "has a start, but no file"),
        (#""subtitles": [{"source": "a.srt", "draw": {"colour": "x"}}]"#, "mean 'color'"),
    ]

    @Test(
        "a fault is told with the title and the field, and the schema refuses it", arguments: faults
    )
    func refused(members: String, words: String) throws {
        let text = Self.timeline(members)
        let error = #expect(throws: BatchListError.self) { _ = try Self.read(text) }
        guard case .invalid(_, let found, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found.contains { $0.description.contains(words) }, "\(found)")
        #expect(try !TimelineSchemaTests.holds(text), "\(text)")
    }

    @Test("what the reader takes, the schema takes")
    func schema() throws {
        #expect(try TimelineSchemaTests.holds(Self.full))
        #expect(try TimelineSchemaTests.holds(try Self.read(Self.full).timelineJSON.description))
    }
}

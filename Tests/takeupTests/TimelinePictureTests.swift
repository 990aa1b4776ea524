import Foundation
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupModel
@testable import takeup

@Suite("Pictures of timelines")
struct TimelinePictureTests {
    private static let plain = TimelineText(
        showsUnicode: false,
        palette: Palette(mode: "never", isTerminal: false, environment: [:]))

    private static func bar(
        _ start: Double, _ end: Double, _ making: TimelinePicture.Making, _ name: String
    ) -> TimelinePicture.Bar {
        TimelinePicture.Bar(
            start: start, end: end, making: making, name: name, detail: "\(name) whole")
    }

    private static let picture = TimelinePicture(
        seconds: 20,
        rows: [
            .init(name: "layer 2", detail: "", bars: [bar(5, 10, .encoded, "logo.png")]),
            .init(
                name: "layer 1", detail: "",
                bars: [
                    bar(0, 11, .encoded, "a.mov"), bar(10, 20, .encoded, "a long name.mov"),
                ], blends: [.init(start: 10, end: 11, name: "dissolve of 1 s")]),
            .init(name: "audio", detail: "", bars: [bar(0, 5, .copied, "a.mov")]),
        ])

    @Test("are drawn to the columns of the terminal, in plain characters")
    func text() throws {
        let lines = Self.plain.lines(Self.picture, columns: 50)
        #expect(lines.map(\.count).max() ?? 0 <= 50)
        try #require(lines.count == 6)
        #expect(lines[0] == "         0:00                0:10")
        #expect(lines[1] == "layer 2  ..........|logo.png ....................")
        #expect(lines[2] == "layer 1  |a.mov #############XXa long name.mov ##")
        #expect(lines[3] == "audio    |a.mov ===..............................")
        #expect(lines[4] == "         # encoded   = copied   X transition")
        #expect(lines[5] == "         . nothing")
    }

    @Test("show colours where they may, and names of any width")
    func wide() {
        let painter = TimelineText(
            showsUnicode: true, palette: Palette(mode: "always", isTerminal: true, environment: [:])
        )
        var picture = Self.picture
        picture.rows[2].bars[0].name = "日本語の長い名前.mov"
        let text = TimelineText(showsUnicode: true, palette: Self.plain.palette)
        let lines = text.lines(picture, columns: 60)
        #expect(Set(lines[1...3].map(\.displayWidth)) == [59])
        #expect(lines[3].contains("日本語") && lines[3].contains("…"))
        #expect(!lines.joined().contains("\u{1B}"))
        let painted = painter.lines(picture, columns: 60)
        #expect(painted[3].contains("\u{1B}[32m┃日本語"))
        let bare = painted.map { line in
            line.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().map {
                $0 == 0 ? String($1) : String($1.drop { $0 != "m" }.dropFirst())
            }.joined()
        }
        #expect(bare == lines)
    }

    @Test("merge what is too narrow to be seen, however much there is")
    func many() {
        let bars = (0..<10_000).map {
            Self.bar(Double($0), Double($0) + 1, $0.isMultiple(of: 2) ? .encoded : .copied, "x")
        }
        let blends = (1..<10_000).map {
            TimelinePicture.Blend(start: Double($0) - 0.5, end: Double($0), name: "dissolve")
        }
        let row = TimelinePicture.Row(name: "video", detail: "", bars: bars, blends: blends)
        let wide = Self.bar(10_000, 20_000, .encoded, "long.mov")
        let picture = TimelinePicture(
            seconds: 20_000,
            rows: [row, .init(name: "audio", detail: "", bars: bars + [wide])])
        let begin = ContinuousClock.now
        let lines = Self.plain.lines(picture, columns: 80)
        #expect(lines.allSatisfy { $0.count < 80 })
        #expect(lines[1].hasPrefix("video  |10000 parts %%%%"), "\(lines[1])")
        #expect(lines[2].contains("%|long.mov ####"), "\(lines[2])")
        let svg = TimelineSVG.text(picture, title: "many")
        #expect(svg.utf8.count < 20_000)
        #expect(ContinuousClock.now - begin < .seconds(5))
        let some = TimelinePicture(
            seconds: 100, rows: [.init(name: "video", detail: "", bars: Array(bars.prefix(100)))])
        #expect(Self.plain.lines(some, columns: 80)[1].contains("|100 parts %"))
    }

    @Test("are XML whatever the files are called, and tell each stretch")
    func svg() throws {
        let names = [
            "</title><script>alert(1)</script>", "a&b\"'.mov", "\u{1}\u{7}\u{FFFE}\n.mov", "]]>日本",
        ]
        let bars = names.enumerated().map {
            Self.bar(Double($0) * 5, Double($0) * 5 + 5, .copied, $1)
        }
        let picture = TimelinePicture(
            seconds: 20, rows: [.init(name: "video", detail: "<copied>", bars: bars)])
        let folder = try TemporaryDirectory()
        let path = "\(folder.path)/x.svg"
        try Data(TimelineSVG.text(picture, title: names[0]).utf8).write(to: URL(filePath: path))
        let script = """
            import sys, xml.etree.ElementTree as E
            n = "{http://www.w3.org/2000/svg}"
            root = E.parse(sys.argv[1]).getroot()
            print(root.tag == n + "svg", len(list(root.iter(n + "script"))))
            for t in root.iter(n + "title"): print(ascii(t.text))
            """
        let read = try Subprocess.run("python3", ["-c", script, path])
        #expect(read.exitCode == 0, "\(read.errorText)")
        let lines = read.outputText.split(separator: "\n")
        #expect(lines.first == "True 0")
        #expect(lines.contains("'</title><script>alert(1)</script> whole'"))
        #expect(lines.contains(#"'a&b"\'.mov whole'"#))
        #expect(lines.contains(#"'\\u{1}\\u{7}\ufffd\\n.mov whole'"#))
        #expect(lines.contains(#"']]>\u65e5\u672c whole'"#))
    }

    @Test("come of plans: parts, layers and mixed tracks")
    func plans() {
        func segment(_ source: Int, _ start: Double, _ seconds: Double) -> TrackSegment {
            TrackSegment(
                source: source, track: 0, sourceStart: .zero, duration: .init(seconds: seconds),
                targetStart: .init(seconds: start), isWhole: false, mustFill: true,
                reachesEnd: false)
        }
        var plan = ScriptedSession.plan
        plan.sources = ["clips/a.mov", "https://example.com/b.mov?key=secret"]
        #expect(TimelinePicture(plan).isPlain)
        let packets = CopiedPackets(entry: 0, last: 9, stop: nil, end: nil, depth: 0)
        plan.video = VideoTrackPlan(
            segments: [segment(0, 0, 10)], mode: .copy, reason: PlanReason(.partsCopied, "cut"),
            parts: [
                VideoPart(segment(0, 0, 1)), VideoPart(segment(0, 1, 9), packets: packets),
            ])
        var empty = segment(0, 4, 2)
        empty.isEmpty = true
        let sound = AudioEncoding(
            encoder: "aac", sampleRate: 48_000, channelLayout: "stereo", channels: 2, bitRate: 1)
        plan.audio = [
            AudioTrackPlan(
                segments: [],
                mix: [
                    MixedTrack(track: 0, segments: [segment(0, 0, 4), empty], volume: Volume()),
                    MixedTrack(track: 0, segments: [segment(1, 3, 7)], volume: Volume()),
                    MixedTrack(track: 1, segments: [segment(1, 0, 10)], volume: Volume(0.5)),
                ], mode: .encode(sound), reason: PlanReason(.mixed, "mixed"), isDefault: true)
        ]
        let picture = TimelinePicture(plan)
        #expect(!picture.isPlain && picture.rows.map(\.name) == ["video", "sound 1", "sound 2"])
        #expect(picture.rows[0].bars.map(\.making) == [.encoded, .copied])
        #expect(picture.rows[0].bars.map(\.end) == [1, 10])
        #expect(picture.rows[1].bars.map(\.name) == ["a.mov", "b.mov"])
        #expect(picture.rows[1].blends.map(\.start) == [3])
        #expect(picture.rows[2].detail.contains("volume 0.5"))
        #expect(!"\(picture)".contains("secret"))
    }
}

import TakeupIntake
import TakeupJobs
import TakeupTimeline
import Testing

@testable import TakeupModel
@testable import takeup

@Suite("Export request")
struct ExportArgumentsTests {
    private func request(_ line: String) throws -> ExportArguments {
        let words = ["export"] + line.split(separator: " ").map(String.init)
        let invocation = try ArgumentReader(words, table: CommandTable.root).read()
        let options = CommandTable.commonOptions + invocation.command.options
        let settings = try Settings(
            options: options, flags: invocation.options, environment: [:], configuration: nil)
        return try ExportArguments(
            CommandInput(
                path: invocation.path, arguments: invocation.arguments, settings: settings,
                invocation: invocation))
    }

    @Test("reads every option")
    func everyOption() throws {
        let request = try request(
            """
            a.mov b.mov -o out.mp4 --preset low --start 1:30 --duration 1001/30000 --overwrite \
            unique --on-truncated salvage --verify full --copy never --metadata title=x=y \
            --metadata artist= --strip-metadata --size-limit 25MiB --dry-run --poster p.jpg
            """)
        var settings = ExportSettings()
        settings.timeRange = TimeRange(
            start: MediaTime(seconds: Int64(90)), duration: MediaTime(value: 1001, timescale: 30000)
        )
        settings.overwrite = .unique
        settings.onTruncated = .salvage
        settings.verification = .full
        settings.copy = .never
        settings.metadata = ["title": "x=y", "artist": ""]
        settings.stripsMetadata = true
        settings.fileLengthLimit = 26_214_400
        settings.posterPath = "p.jpg"
        #expect(request.settings == settings)
        #expect(request.composition == Composition(joining: ["a.mov", "b.mov"]))
        #expect(request.presetName == "low")
        #expect(request.isDryRun)
    }

    @Test(
        "takes pictures and sound from different files",
        arguments: [
            "--video v.mp4 --audio a.wav", "v.mp4 --audio a.wav", "--video v.mp4 a.wav",
        ])
    func split(line: String) throws {
        #expect(
            try request("\(line) -o o.mp4").composition
                == Composition(video: "v.mp4", audio: "a.wav"))
    }

    @Test("an address is taken in its normal form, and its faults are told without it")
    func addresses() throws {
        let request = try request("HTTPS://Example.COM:443/a%20b.mov?s=1#x -o o.mp4")
        #expect(request.composition == Composition(joining: ["https://example.com/a%20b.mov?s=1"]))
        for line in ["https://u:secret@x/a.mov", "ftp://x/secret", "http://[::1%25lo]/secret"] {
            do {
                _ = try self.request("\(line) -o o.mp4")
                Issue.record("\(line) was taken")
            } catch let error as UsageError {
                #expect(!error.message.contains("secret"))
            }
        }
    }

    @Test(
        "refuses what makes no sense",
        arguments: [
            "-o o.mp4", "a.mov", "--video v.mp4 -o o.mp4", "a b --audio c -o o.mp4",
            "a --video v --audio c -o o.mp4", "https://u:p@example.com/a.mov -o o.mp4",
            "- -o o.mp4",
            "FILE://a -o o.mp4", "https://example.com/a.otio -o o.mp4",
            "https://example.com/a.Takeup.JSON -o o.mp4",
            "a -o o.mp4 --start -1", "a -o o.mp4 --start 5 --end 5", "a -o o.mp4 --end 0",
            "a -o o.mp4 --start 6 --end 5", "a -o o.mp4 --end 5 --duration 1",
            "a -o o.mp4 --duration 0", "a -o o.mp4 --start abc", "a -o o.mp4 --start 1:61",
            "a -o o.mp4 --start 1/0", "a -o o.mp4 --metadata =x", "a -o o.mp4 --metadata x",
            "a -o o.mp4 --metadata mood=blue", "a -o o.mp4 --metadata track=x",
            "a -o o.mp4 --poster p", "a -o o.mp4 --poster p.webp", "a -o o.mp4 --poster .png",
            "a -o o.mp4 --size-limit 0", "a -o o.mp4 --size-limit 5XB",
            "a -o o.mp4 --size-limit -5MB", "a -o o.mp4 --size-limit 1000000000000001",
            "a -o o.mp4 --size-limit 1001TB",
        ])
    func refusals(line: String) {
        #expect(throws: UsageError.self) { try request(line) }
    }

    @Test(
        "a missing output is asked for by the name that other programs would take for it",
        arguments: [
            ("a.mov", "clip.mp4"), ("a.mov b.mp4", "b.mp4"), ("a.mp4", "clip.mp4"),
            ("a.mov b.mov", "clip.mp4"),
        ])
    func missingOutput(line: String, name: String) {
        let error = #expect(throws: UsageError.self) { try request(line) }
        #expect(error?.hint == "say where to write: -o \(name)")
    }

    @Test(
        "reads sizes",
        arguments: [
            ("25MB", 25_000_000), ("25mb", 25_000_000), ("25MiB", 26_214_400), ("1", 1),
            ("1.5GB", 1_500_000_000), ("0.5kib", 512), ("10B", 10), ("9223372036854775807", .max),
            ("0", nil), ("", nil), ("MB", nil), ("1.", nil), (".5MB", nil), ("0.5", nil),
            ("1e6", nil), ("-1", nil), ("9223372036854775808", nil), ("9999999999TB", nil),
            ("1.0000000001GB", nil), ("25 MB", nil), ("٣MB", nil), ("1.2.3MB", nil),
        ] as [(String, Int64?)])
    func sizes(text: String, bytes: Int64?) {
        #expect(ByteSize(parsing: text)?.bytes == bytes)
    }

    @Test("names the same work alike, and other work otherwise")
    func jobKeys() {
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: Int64(1)))
        func key(_ sources: [String], _ range: TimeRange?, _ preset: String) -> String {
            var request = ExportRequest(
                Composition(joining: sources),
                preset: ExportPreset(name: preset, description: "", container: .mp4))
            request.settings.timeRange = range
            return JobKey.make(request)
        }
        let first = key(["/a", "/b"], range, "low")
        #expect(first == key(["/a", "/b"], range, "low"))
        #expect(first.count == 16)
        let others = [
            key(["/a/b"], range, "low"),
            key(["/b", "/a"], range, "low"),
            key(["/a", "/b"], nil, "low"),
            key(["/a", "/b"], range, "medium"),
        ]
        #expect(Set(others + [first]).count == 5)
    }
}

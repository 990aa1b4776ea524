import Foundation
import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupTimeline
import Testing

@testable import TakeupClient
@testable import takeup

@Suite("The values between a client and its server")
struct ServerPartsTests {
    @Test(
        "an address is a place alone, and known to be open or not",
        arguments: [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", false),
            ("http://[::1]:8080/", "http://[::1]:8080", false),
            ("http://localhost:1", "http://localhost:1", false),
            ("http://192.0.2.1", "http://192.0.2.1", true),
            ("http://127.0.0.1.example.com", "http://127.0.0.1.example.com", true),
            ("HTTPS://Media.example.com:443", "https://media.example.com", false),
            ("unix:s.sock", "unix:/here/s.sock", false), ("unix:/s.sock", "unix:/s.sock", false),
            ("http://a.example/b", nil, false), ("http://a.example/?b", nil, false),
            ("http://user@a.example", nil, false), ("ftp://a.example", nil, false),
            ("a.example", nil, false), ("", nil, false),
        ] as [(String, String?, Bool)])
    func addresses(text: String, shown: String?, isOpen: Bool) {
        let address = ServerAddress(text) { $0.hasPrefix("/") ? $0 : "/here/\($0)" }
        #expect(address?.text == shown)
        #expect(address?.isOpen ?? false == isOpen)
    }

    private static let server = ServerAddress("http://127.0.0.1:1") { $0 }

    @Test(
        "an answer becomes the failure that a command ends with",
        arguments: [
            (404, 66, .giveUp), (409, 73, .giveUp), (401, 77, .giveUp), (403, 77, .giveUp),
            (400, 64, .giveUp), (422, 65, .giveUp), (503, 69, .retry), (429, 75, .retry),
            (507, 74, .diskFull), (500, 70, .giveUp), (502, 69, .retry),
        ] as [(Int, Int32, Failure.Disposition)])
    func failures(status: Int, code: Int32, disposition: Failure.Disposition) throws {
        let server = try #require(Self.server)
        let body = #"{"detail": "it is so", "code": "thing", "stage": "request", "hint": "do"}"#
        let failure = Failure(problem: Array(body.utf8), status: status, from: server)
        #expect(failure.exitCode.rawValue == code)
        #expect(failure.disposition == disposition)
        #expect(failure.message == "it is so")
        #expect(failure.code == "thing")
        #expect(failure.hint == "do")
        // Something in between may answer in its own words.
        let plain = Failure(problem: Array("<html>".utf8), status: status, from: server)
        // Where nothing of a server's API is, there is no such server.
        #expect(plain.exitCode.rawValue == (status == 404 ? 69 : code))
        #expect(plain.message.contains("\(status)"))
    }

    @Test("a job goes out as a list would have it, and nothing of it is lost")
    func requests() throws {
        let line = """
            {"id": "a/b", "source": ["/a.mov", "https://e.example/b.mov?x=1"], "preset": "low",
            "set": {"video.crf": 30, "audio.maxChannels": 6}, "start": "1001/30000",
            "duration": "2.5", "output": "/out/a.m4a", "overwrite": "unique",
            "onTruncated": "salvage", "verify": "full", "copy": "never",
            "metadata": {"title": "ä \\"b\\"", "artist": ""}, "stripMetadata": true,
            "sizeLimit": 25000000, "expires": "never", "priority": -7, "retries": 0,
            "notBefore": "2030-05-04T03:02:01Z", "timeout": 90, "onReplaced": "accept"}
            """.replacing("a/b", with: "ab")
        let timeline = """
            {"source": {"version": 1, "background": "#0a0b0c", "tracks": [
            {"segments": [{"empty": "1/3"}, "/a.mov", {"transition": "wipeUp", "duration": "1/3"},
            {"source": "/b.mov", "start": "1.5", "duration": "2", "speed": "3/2",
            "pitch": "follow"}]},
            {"media": "video", "layout": {"fit": "fill", "rotation": 1.5}, "segments": ["/c.mov"]},
            {"media": "audio", "volume": "-6 dB", "volumeRamps": [{"start": "1001/30",
            "duration": 1, "from": 0, "to": 0.25}], "duck": {"under": 1, "to": 0.5,
            "release": "2/3"}, "segments": ["/music.mp3"]}],
            "titles": [{"text": "a\\nb", "font": "/f.ttf", "size": "48px", "start": "1/3",
            "duration": 2, "fadeIn": "1/2", "opacity": 0.5, "box": "#102030",
            "position": {"x": 0.5, "y": 0.25, "anchor": "top"}}],
            "subtitles": [{"source": "/s.srt", "start": 1, "language": "eng", "title": "x"},
            {"draw": {"font": "/g.ttf", "position": "topLeft"}}]}}
            """
        for text in [
            line, #"{"source": "/a.mov"}"#, #"{"source": "/a.mov", "start": 3}"#, timeline,
        ] {
            let spec = try Self.spec(text)
            #expect(try Self.spec("\(spec.request())") == spec)
        }
        var split = try Self.spec(#"{"source": ["/a.mov", "/b.mov"]}"#)
        split.request.composition = Composition(video: "/a.mov", audio: "/b.mov")
        split.id = split.automaticID
        let read = try Self.spec("\(split.request())")
        #expect(read.request.composition == split.request.composition)
    }

    private static func spec(_ text: String) throws -> JobSpec {
        let list = try BatchList(
            [.text(Array("[\(text)]".utf8), endsWithNull: false)], options: BatchOptions(),
            from: "/")
        return try #require(list.jobs.first)
    }

    @Test("a job that a server cannot be told is refused with 64")
    func unsayable() throws {
        var spec = try Self.spec(#"{"source": "/a.mov"}"#)
        spec.request.preset.sizeLimit = 12_345
        let failure = #expect(throws: Failure.self) { try spec.request() }
        #expect(failure?.exitCode == .usage)
    }

    @Test("what a server tells of a job is told on in the same words")
    func documents() throws {
        let queue = try QueueBench()
        var specs = [try Self.spec(#"{"source": "/a.mov", "id": "a", "start": "1.5"}"#)]
        specs.append(
            try Self.spec(
                #"{"source": ["/b.mov", "/c.mov"], "id": "b", "set": {"video.crf": 30}}"#))
        specs.append(
            try Self.spec(
                """
                {"id": "t", "source": {"version": 1, "tracks": [{"segments": [{"empty": "1/3"},
                {"source": "https://e.example/c.mov?key=secret", "start": 1, "end": 4, "speed": 2},
                "/d.mov", {"source": "/d.mov", "speed": "1/2"}]},
                {"media": "audio", "volume": 0.5, "volumeRamps": [{"start": "1/3",
                "duration": 1, "from": 0.5, "to": 0}], "duck": {"under": 1, "attack": "1/3"},
                "segments": ["/e.mp3"]},
                {"media": "video", "layout": {"fit": "fill", "opacity": 0.5,
                "rotationRamps": [{"start": 0, "duration": "1/3", "from": 0, "to": 90}]},
                "segments": ["/f.mov",
                {"transition": "dip", "duration": "1/2", "color": "#ffffff"},
                {"source": "/g.png", "duration": 5, "layout":
                {"area": {"x": 0.25, "y": 0, "width": 0.5, "height": 1},
                "cropRamps": [{"start": 1, "duration": 2,
                "from": {"x": 0, "y": 0, "width": 1, "height": 1},
                "to": {"x": 0, "y": 0, "width": 0.5, "height": 1}}]}}]}], "background": "#0a0b0c",
                "titles": [{"text": "a", "font": "/f.ttf", "size": "48px", "outline": "#000000",
                "opacityRamps": [{"start": 1, "duration": 1, "from": 0, "to": 0.5}],
                "position": {"x": 0.5, "y": 0.25}}, {"text": "b", "font": "/f.ttf", "end": 2}],
                "subtitles": [{"source": "/s.srt", "start": 1, "language": "eng"},
                {"draw": {"font": "/g.ttf", "size": 0.25, "box": "#102030"}}]}}
                """))
        _ = try queue.store.submit(specs)
        try queue.work()
        try queue.work { _ in .failed(QueueBench.fault, retryable: true) }
        for id in ["a", "b", "t"] {
            let record = try #require(try queue.store.job(JobID(rawValue: id)))
            let data = Data("\(record.detailedJSON)".utf8)
            let read = try #require(try JSONDecoder().decode(JobDocument.self, from: data).record)
            #expect(read.detailedJSON == record.detailedJSON)
            #expect(read.cursor == record.cursor)
            #expect(
                JobExplanation(read).lines(now: 2e9) == JobExplanation(record).lines(now: 2e9))
            let short = Data("\(record.json)".utf8)
            let listed = try #require(
                try JSONDecoder().decode(JobDocument.self, from: short).record)
            #expect(id == "t" || listed.json == record.json)
        }
        let record = try #require(try queue.store.job(JobID(rawValue: "t")))
        #expect(!"\(record.detailedJSON)".contains("secret"))
        let told = "\(record.detailedJSON)"
        #expect(told.contains(#"{"empty":"1/3"}"#) && told.contains(#""speed":"2/1""#), "\(told)")
        let lines = JobExplanation(record).lines(now: 2e9).filter { $0.hasPrefix("track 1") }
        #expect(
            lines.map { $0.dropFirst("track 1".count).drop { $0 == " " } } == [
                "all: empty for 0:00.333",
                "all: https://e.example/c.mov?…, from 0:01.000 to 0:04.000, speed 2.00",
                "all: /d.mov", "all: /d.mov, speed 0.50",
            ])
        #expect(
            JobExplanation(record).lines(now: 2e9).contains {
                $0.hasPrefix("track 2") && $0.hasSuffix("volume 0.5, 1 ramp")
            })
        #expect(
            JobExplanation(record).lines(now: 2e9).contains {
                $0.hasPrefix("track 2") && $0.hasSuffix("ducked under track 1 to 0.25")
            })
        let shown = JobExplanation(record).lines(now: 2e9).filter { $0.hasPrefix("track 3") }
        #expect(
            shown.map { $0.dropFirst("track 3".count).drop { $0 == " " } } == [
                "layout fill, opacity 0.5, rotation 0.0, 1 ramp", "video: /f.mov",
                "dip of 0.500 s through #ffffff",
                "video: /g.png, from 0:00.000 to 0:05.000, area 0.5x1.0 at 0.25,0.0, "
                    + "crop 1.0x1.0 at 0.0,0.0, 1 ramp",
            ])
        #expect(JobExplanation(record).lines(now: 2e9).contains { $0.hasSuffix("#0a0b0c") })
    }
}

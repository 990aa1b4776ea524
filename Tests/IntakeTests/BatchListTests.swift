import Foundation
import TakeupModel
import TakeupJobs
import TakeupTimeline
import Testing

@testable import TakeupIntake

@Suite("Batch list")
struct BatchListTests {
    @Test("every field of a job arrives in its spec")
    func everyField() throws {
        let text = """
            [{ "id": "story-42", "source": ["a.mov", "/b/./c.mov"], "preset": "1280x720",
               "start": "1.5", "duration": 10, "output": "out/story-42.mp4", "expires": "7d",
               "priority": 5, "metadata": {"title": "W\\u00e9\\ud83d\\ude00", "date": 2024},
               "overwrite": "replace", "onTruncated": "salvage", "verify": "full",
               "copy": "never", "sizeLimit": "25MB", "stripMetadata": true, "retries": 0 }]
            """
        let job = try #require(try Lists.read(text).first)
        #expect(job.id.rawValue == "story-42")
        #expect(job.request.sources == ["/lists/a.mov", "/b/c.mov"])
        #expect(job.request.preset.name == "1280x720")
        #expect(job.request.settings.timeRange?.start == MediaTime(value: 3, timescale: 2))
        #expect(job.request.settings.timeRange?.duration == MediaTime(seconds: Int64(10)))
        #expect(job.request.output == "/lists/out/story-42.mp4")
        #expect(job.expiresSeconds == 604_800)
        #expect(job.priority == 5)
        #expect(job.request.settings.metadata == ["title": "Wé😀", "date": "2024"])
        #expect(
            (
                job.request.settings.overwrite, job.request.settings.onTruncated,
                job.request.settings.verification, job.request.settings.copy
            )
                == (.replace, .salvage, .full, .never))
        #expect(job.request.settings.fileLengthLimit == 25_000_000)
        #expect(job.request.settings.stripsMetadata)
        #expect(job.retries == 0)
    }

    @Test("queue, tags and key arrive, from lists and from the command line")
    func workersOfJobs() throws {
        var options = BatchOptions()
        (options.queue, options.tags, options.key) = ("line", ["gpu"], "customer")
        let text = """
            [{"source": "a.mov", "queue": "q", "tags": ["x", "y"], "key": "k"},
             {"source": "b.mov", "tags": "x, y"}, {"source": "c.mov"}]
            """
        let jobs = try Lists.read(text, options: options)
        #expect(jobs.map(\.queue) == ["q", "line", "line"])
        #expect(jobs.map(\.tags) == [["x", "y"], ["x", "y"], ["gpu"]])
        #expect(jobs.map(\.key) == ["k", "customer", "customer"])
        #expect(
            Lists.faults(#"[{"source": "a.mov", "tags": [1]}]"#).first?.contains("tags") == true)
        let csv = try Lists.read("source,queue,tags\na.mov,q,\"x,y\"\n", as: .csv)
        #expect(csv.map(\.queue) == ["q"] && csv.map(\.tags) == [["x", "y"]])
    }

    @Test("a source alone is a job with defaults, an id that stays, and no output")
    func sourceAlone() throws {
        let job = try #require(try Lists.read(#"[{"source": "a.mov"}]"#).first)
        #expect(job.request.preset.name == "medium")
        #expect(job.request.output == nil)
        #expect(job.id.rawValue.count == 16)
        #expect(try Lists.read("{\"source\":\"./a.mov\"}", as: .jsonLines).first?.id == job.id)
        let other = try Lists.read(#"[{"source": "a.mov", "start": 1}]"#).first
        #expect(other?.id != job.id)
        let preset = try Lists.read(#"[{"source": "a.mov", "preset": "low"}]"#).first
        #expect(preset?.id != job.id)
    }

    @Test("job before list before command line")
    func precedence() throws {
        var options = BatchOptions()
        options.preset = "low"
        options.priority = 1
        options.retries = 9
        options.settings.metadata = ["title": "line", "album": "line", "genre": "line"]
        options.settings.timeRange = TimeRange(start: .zero, end: MediaTime(seconds: Int64(20)))
        let text = """
            {"jobs": [{"source": "a.mov", "priority": 3, "end": 9, "metadata": {"Genre": "job"}},
                      {"source": "b.mov", "start": 4, "priority": null}],
             "defaults": {"preset": "640x480", "priority": 2, "duration": 5,
                          "metadata": {"album": "list", "genre": "list"}}}
            """
        let jobs = try Lists.read(text, options: options)
        #expect(jobs.map(\.request.preset.name) == ["640x480", "640x480"])
        #expect(jobs.map(\.priority) == [3, 2])
        #expect(jobs.map(\.retries) == [9, 9])
        #expect(
            jobs.map { $0.request.settings.timeRange?.duration } == [
                MediaTime(seconds: Int64(9)), MediaTime(seconds: Int64(5)),
            ])
        #expect(
            jobs.map { $0.request.settings.timeRange?.start } == [
                .zero, MediaTime(seconds: Int64(4)),
            ])
        #expect(
            jobs[0].request.settings.metadata == ["title": "line", "album": "list", "genre": "job"])
        let plain = try Lists.read(#"[{"source": "a.mov", "start": 12}]"#, options: options)
        #expect(plain[0].request.settings.timeRange?.duration == MediaTime(seconds: Int64(8)))
    }

    @Test("a preset comes along by content, whatever it is called")
    func presets() throws {
        let jobs = try Lists.read(
            """
            [{"source": "a.mov", "preset": "AVAssetExportPreset1280x720"},
             {"source": "b.mov", "preset": "1280x720"},
             {"source": "c.mov", "preset": "1280x720", "output": "c.m4a"}]
            """)
        #expect(jobs[0].request.preset == jobs[1].request.preset)
        let sound = jobs[2].request.preset
        #expect(sound.video == nil && sound.container == .m4a)
        #expect(jobs[1].request.preset == (try ExportPreset.named("1280x720")))
    }

    @Test("outputs may be in a bucket, named like those in a folder")
    func bucketOutputs() throws {
        var options = BatchOptions()
        options.outputFolder = "s3://films/out"
        let jobs = try Lists.read(
            """
            [{"source": "x/clip.mov"}, {"source": "y/clip.mov"},
             {"source": "b.mov", "output": "sub/named.mp4"}, {"source": "c.mov", "output": "sub/"},
             {"source": "d.mov", "output": "S3://films/d.mp4"}, {"source": "e.mov", "id": "e", "output": "s3://films"},
             {"source": "s3://films/out/f.mp4"}, {"source": "g.mov", "output": "/local/g.mp4"}]
            """, options: options)
        #expect(
            jobs.map(\.request.output) == [
                "s3://films/out/clip.mov.mp4", "s3://films/out/clip.mov-2.mp4",
                "s3://films/out/sub/named.mp4", "s3://films/out/sub/c.mp4", "s3://films/d.mp4",
                "s3://films/e.mp4", "s3://films/out/f-2.mp4", "/local/g.mp4",
            ])
        #expect(jobs.allSatisfy { $0.fault == nil })
    }

    @Test("places in buckets that no object can have are refused")
    func badBucketOutputs() {
        for output in ["s3://films//a.mp4", "s3://F/a.mp4", "s3://films/../a.mp4", "s3://"] {
            let faults = Lists.faults(#"[{"source": "a.mov", "output": "\#(output)"}]"#)
            #expect(faults.count == 1 && faults[0].contains("is no place in a bucket"), "\(faults)")
        }
        let twice = Lists.faults(
            """
            [{"source": "a.mov", "output": "s3://films/a.mp4"},
             {"source": "s3://films/a.mp4", "preset": "low"}]
            """)
        #expect(twice.count == 1 && twice[0].contains("is a source of this list"), "\(twice)")
        let suffix = Lists.faults(#"[{"source": "a.mov", "output": "s3://films/a.avi"}]"#)
        #expect(suffix.count == 1 && suffix[0].contains("what to write"), "\(suffix)")
    }

    @Test("outputs that nobody named go under the output folder, each with its own name")
    func chosenOutputs() throws {
        var options = BatchOptions()
        options.outputFolder = "/out"
        let jobs = try Lists.read(
            """
            [{"source": "x/clip.mov"}, {"source": "y/clip.mov"}, {"source": "x/clip.mkv"},
             {"source": "song.flac", "preset": "m4a"}, {"source": "a.mov", "id": "story"},
             {"source": "b.mov", "output": "named.mp4"}, {"source": "named.mov"},
             {"source": "c.mov", "output": "sub/"}]
            """, options: options)
        #expect(
            jobs.map(\.request.output) == [
                "/out/clip.mov.mp4", "/out/clip.mov-2.mp4", "/out/clip.mkv.mp4", "/out/song.m4a",
                "/out/story.mp4", "/out/named.mp4", "/out/named-2.mp4", "/out/sub/c.mp4",
            ])
    }

    @Test("JSON Lines has a job a line, with blank lines and a mark at the start")
    func jsonLines() throws {
        let text = "\u{FEFF}{\"source\":\"a.mov\"}\r\n\n  {\"source\":\"b.mov\"}"
        #expect(
            try Lists.read(text, as: .jsonLines).map(\.request.sources)
                == [["/lists/a.mov"], ["/lists/b.mov"]])
        #expect(try Lists.read("", as: .jsonLines).isEmpty)
        #expect(
            Lists.faults("{\"source\":\n\"a.mov\"}", as: .jsonLines).first?
                .hasPrefix("line 1: a job goes beyond its line") == true)
        #expect(
            Lists.faults("{\"source\":\"a.mov\"} {\"source\":\"b.mov\"}", as: .jsonLines)
                == ["line 1, column 20: something follows the job on its line"])
    }

    @Test("CSV has quotes, commas and line breaks in cells, CRLF, a mark, and empty cells")
    func csv() throws {
        let text =
            "\u{FEFF}source, preset ,metadata.title,priority,stripMetadata,output\r\n"
            + "\"a, \"\"b\"\".mov\",low,\"two\r\nlines\",-5,true,\r\n\r\nb.mov,,,,,x.mp4"
        let jobs = try Lists.read(text, as: .csv)
        #expect(jobs.map(\.request.sources) == [["/lists/a, \"b\".mov"], ["/lists/b.mov"]])
        #expect(jobs.map(\.request.preset.name) == ["low", "medium"])
        #expect(jobs.map(\.request.settings.metadata) == [["title": "two\r\nlines"], [:]])
        #expect(jobs.map(\.priority) == [-5, 0])
        #expect(jobs.map(\.request.settings.stripsMetadata) == [true, false])
        #expect(jobs.map(\.request.output) == [nil, "/lists/x.mp4"])
    }

    @Test("an empty list has no jobs")
    func empty() throws {
        #expect(try Lists.read("[]").isEmpty)
        #expect(try Lists.read(#"{"jobs": []}"#).isEmpty)
        #expect(try Lists.read("source\n", as: .csv).isEmpty)
    }
}

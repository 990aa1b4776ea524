import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 39: broadcasts that were cut anywhere", .tags(.media))
struct Trait39BroadcastTests {
    /// A stream's container and codecs, as FFmpeg writes them.
    struct Form: CustomTestStringConvertible, Sendable {
        let name: String
        /// Bytes of one packet of the container.
        let packet: Int
        let options: [String]
        var testDescription: String { name }
    }

    private static let old = ["-c:v", "mpeg2video", "-q:v", "4", "-g", "12", "-bf", "2"]
    private static let new = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-bf", "2"]
    static let forms = [
        Form(name: "new.ts", packet: 188, options: new + ["-c:a", "aac"]),
        Form(name: "old.ts", packet: 188, options: old + ["-c:a", "mp2"]),
        Form(
            name: "disc.m2ts", packet: 192,
            options: new + ["-c:a", "ac3", "-mpegts_m2ts_mode", "1"]),
        Form(name: "old.mpg", packet: 2048, options: old + ["-c:a", "mp2", "-f", "dvd"]),
    ]

    private func whole(_ form: Form, seconds: Double = 4) throws -> Clip {
        try Clip.make(
            form.name,
            Clip.picture(size: "352x288", rate: "25", seconds: seconds)
                + Clip.tone(seconds: seconds) + ["-pix_fmt", "yuv420p"] + form.options)
    }

    @Test("a packet that is cut at either end is no damage", arguments: forms)
    func takesCut(form: Form) async throws {
        let clip = try whole(form).edited(form.name, recipe: "cut at both ends") { bytes in
            let head = bytes.count / 5 / form.packet * form.packet + form.packet / 3
            let tail = bytes.count * 9 / 10 / form.packet * form.packet + form.packet / 2
            bytes = bytes.subdata(in: head..<tail)
        }
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.loss == nil)
        #expect(report.warnings.contains { $0.code == "cutPacket" })
        #expect(try MediaTools.frameCount(path) > 40)
    }

    @Test("a hole between two good parts is a warning, and keeps its length", arguments: forms)
    func warnsOfHole(form: Form) async throws {
        let clip = try whole(form).edited(form.name, recipe: "hole") { bytes in
            let first = bytes.count * 3 / 10 / form.packet * form.packet
            let last = bytes.count * 7 / 10 / form.packet * form.packet
            bytes = bytes.prefix(first) + bytes.suffix(from: last)
        }
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.loss == nil)
        #expect(report.warnings.filter { $0.code == "sourceHole" }.count == 1)
        let duration = try #require(try MediaTools.probe(path).format.duration)
        #expect(abs(duration - 4) < 0.2)
        #expect(abs(try Samples(path).seconds - 4) < 0.2)
    }

    @Test("a short hole is damage, whose length is told")
    func refusesShortHole() async throws {
        let clip = try whole(Self.forms[0]).edited("short.ts", recipe: "short hole") { bytes in
            let first = bytes.count / 2 / 188 * 188
            bytes = bytes.prefix(first) + bytes.suffix(from: first + 188 * 12)
        }
        let error = try await ExportTrial().refusal([clip.path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(loss.lostSeconds > .zero)
    }

    @Test(
        "a recording that begins within a group begins with its first whole picture",
        arguments: [
            ("h264", false), ("hevc", false), ("hevc", true), ("mpeg2video", false),
            ("mpeg2video", true),
        ])
    func beginsWithKey(codec: String, copies: Bool) async throws {
        let codecs = [
            "h264": ["libx264", "-x264-params", "open-gop=1:keyint=25:bframes=3"],
            "hevc": ["libx265", "-x265-params", "log-level=none:open-gop=1:keyint=25:bframes=3"],
            "mpeg2video": ["mpeg2video", "-bf", "2", "-g", "12"],
        ]
        let whole = try Clip.make(
            "whole.ts",
            Clip.picture(size: "176x144", rate: "25", seconds: 4) + ["-c:v"]
                + (try #require(codecs[codec])) + ["-pix_fmt", "yuv420p"])
        let bytes = try whole.bytes().count / 188
        let clip = try whole.edited("begun.ts", recipe: "from 0.4 on") {
            $0 = $0.suffix((bytes - bytes * 2 / 5) * 188)
        }
        let packets = try MediaTools.packets(clip.path, stream: "v:0")
        let key = try #require(packets.first { $0.isKey }?.ptsTicks)
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.copy = .never
        let preset = try copies ? ExportPreset.named("passthrough") : .hasty("640x480", crf: 10)
        let (path, report) = try await trial.export([clip.path], preset: preset, settings: settings)
        let shown = packets.compactMap(\.ptsTicks).filter { $0 >= key }.count
        #expect(report.frames == shown)
        #expect(try MediaTools.frameCount(path) == shown)
        // Pictures that build on missing ones would be grey.
        let first = try #require(try Picture.luma(path).first)
        let last = try #require(try Picture.luma(path).last)
        #expect(first.distance(to: last) < 60)
    }

    /// A file that was cut out of another one by copying, and how.
    struct Excerpt: CustomTestStringConvertible, Sendable {
        let name: String
        let codec: String
        var groups = "open"
        var options = ["-ss", "0.7", "-copyinkf"]
        /// Copies of H.264 with open groups fail where later pictures refer to missing ones.
        var presets = ["passthrough", "hevc-1920x1080"]
        var testDescription: String { "\(codec) \(groups) \(name)" }
    }

    static let excerpts = [
        Excerpt(name: "begun.mkv", codec: "libx264", groups: "closed"),
        Excerpt(name: "begun.mkv", codec: "libx265"),
        Excerpt(name: "begun.mp4", codec: "libx265"),
        Excerpt(name: "begun.flv", codec: "libx264", groups: "closed"),
        Excerpt(name: "late.mkv", codec: "libx265", options: ["-ss", "0.5"]),
        Excerpt(
            name: "late.mkv", codec: "libx264", options: ["-ss", "0.5"],
            presets: ["hevc-1920x1080"]),
    ]

    @Test("so does any other file", arguments: excerpts)
    func beginsFileWithKey(excerpt: Excerpt) async throws {
        let group = "keyint=25:min-keyint=25:scenecut=0"
        let coding = group + (excerpt.groups == "open" ? ":open-gop=1" : ":open-gop=0")
        let whole = try Clip.make(
            "whole.mkv",
            Clip.picture(size: "176x144", rate: "25", seconds: 3) + Clip.tone(seconds: 3) + [
                "-c:v", excerpt.codec, "-x264-params", coding, "-x265-params",
                "log-level=none:" + coding, "-pix_fmt", "yuv420p", "-c:a", "aac",
            ])
        let clip = try Clip.make(
            excerpt.name, ["-i", whole.path] + excerpt.options + ["-c", "copy"])
        let packets = try MediaTools.packets(clip.path, stream: "v:0")
        let key = try #require(packets.first { $0.isKey }?.ptsTicks)
        let shown = packets.compactMap(\.ptsTicks).filter { $0 >= key }.count
        for preset in excerpt.presets {
            var settings = ExportSettings()
            settings.copy = .never
            let trial = try ExportTrial()
            let (path, report) = try await trial.export(
                [clip.path], preset: .named(preset), settings: settings)
            #expect(report.warnings.contains { $0.code == "beginsMidway" })
            #expect(try MediaTools.frameCount(path) == shown)
            let first = try #require(try Picture.luma(path).first)
            let last = try #require(try Picture.luma(path).last)
            #expect(first.distance(to: last) < 60)
        }
    }

    @Test("HEVC without a keyframe is refused")
    func refusesKeyless() async throws {
        let whole = try Clip.make(
            "whole.mkv",
            Clip.picture(size: "176x144", rate: "25", seconds: 2) + [
                "-c:v", "libx265", "-x265-params", "log-level=none:keyint=99", "-pix_fmt",
                "yuv420p",
            ])
        let clip = try Clip.make(
            "tail.mkv", ["-i", whole.path, "-ss", "0.7", "-copyinkf", "-c", "copy"])
        guard case .unsupported = try await ExportTrial().refusal([clip.path]) else {
            Issue.record("it was exported")
            return
        }
    }

    @Test("a length that a writer did not know is no promise")
    func ignoresUnknownLength() async throws {
        let plain = try Clip.make(
            "fragments.mp4",
            Clip.picture(size: "160x96", seconds: 3) + [
                "-c:v", "libx264", "-video_track_timescale", "30000", "-g", "15",
                "-movflags", "+frag_keyframe+empty_moov+default_base_moof",
            ])
        let clip = try plain.edited("fragments.mp4", recipe: "mdhd of all ones") { bytes in
            guard let box = bytes.range(of: Data("mdhd".utf8)) else { return }
            // Version, flags, two times and the timescale stand before the duration.
            let place = box.upperBound + 16
            bytes.replaceSubrange(place..<place + 4, with: Data(repeating: 0xFF, count: 4))
        }
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        // FFmpeg 7 takes such a length for none itself.
        let isBelieved = try MediaTools.probe(clip.path).format.duration ?? 0 > 1000
        let isTold = report.warnings.contains { $0.code == "implausibleDuration" }
        #expect(isTold == isBelieved)
        #expect(try MediaTools.frameCount(path) == 90)
        let cut = try clip.truncated(
            toBytes: try clip.bytes().count - 2000, as: "fragments.mp4")
        let error = try await ExportTrial().refusal([cut.path])
        guard case .sourceIncomplete = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("GXF ends where it ends")
    func endsGXF() async throws {
        let clip = try Clip.make(
            "studio.gxf",
            Clip.picture(size: "720x576", rate: "25", seconds: 1) + Clip.tone(seconds: 1)
                + ["-c:v", "mpeg2video", "-b:v", "5M", "-c:a", "pcm_s16le"])
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.loss == nil)
        #expect(try MediaTools.frameCount(path) == 25)
    }
}

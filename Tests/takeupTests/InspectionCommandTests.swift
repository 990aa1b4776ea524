import Foundation
import TakeupMediaClient
import TakeupTimeline
import TakeupWorker
import Testing

@testable import TakeupModel
@testable import takeup

@Suite("Inspection commands")
struct InspectionCommandTests {
    private static let video = VideoTraits(
        width: 640, height: 360, sampleAspect: Ratio(1, 1),
        orientation: Orientation(clockwiseDegrees: 90, isMirrored: false), pixelFormat: "yuv420p",
        bitDepth: 8, hasAlpha: false, color: ColorTags(primaries: "bt709"), hdr: nil,
        dolbyVisionProfile: nil, scan: .progressive, isScanJudged: false,
        averageFrameRate: Ratio(30000, 1001),
        nominalFrameRate: nil, frameRateMode: .constant, reorderDelay: 2)

    private static func track(
        _ index: Int, _ type: MediaType, video: VideoTraits? = nil, audio: AudioTraits? = nil
    ) -> AssetTrack {
        AssetTrack(
            index: index, type: type, codec: "h264", codecTag: nil, profile: nil,
            isDecodable: true, isProtected: false, startTime: .zero, duration: nil,
            declaredSamples: nil, bitRate: nil, language: "deu", title: "a\nb", isDefault: true,
            isForced: false, timeBase: Ratio(1, 90000), video: video, audio: audio)
    }

    private static let asset = AssetDescription(
        name: "a.mov", container: "mov", bytes: 1000,
        duration: MediaTime(value: 5, timescale: 2), startTime: .zero,
        tracks: [
            track(0, .video, video: video),
            track(
                1, .audio,
                audio: AudioTraits(
                    sampleRate: 48000, channels: 2, channelLayout: "stereo", sampleFormat: "fltp")),
        ],
        chapters: [], metadata: ["title": "x\u{1B}[2J"], loss: nil, warnings: [],
        notPlayableReason: nil, notExportableReason: "no encoder", protectionReason: nil)

    private var engine: Engine {
        var engine = Engine.built
        engine.inspect = { _ in Self.asset }
        return engine
    }

    @Test("probe tells what the contract names, and the turn of the picture")
    func probeJSON() async throws {
        let bench = try TestBench()
        #expect(await bench.run("probe a.mov --json", engine: engine) == .success)
        #expect(bench.output.lines.count == 1)
        let decoded = try JSONSerialization.jsonObject(with: Data(bench.output.text.utf8))
        let object = try #require(decoded as? [String: Any])
        #expect(object["container"] as? String == "mov")
        #expect(object["duration"] as? Double == 2.5)
        #expect(object["playable"] as? Bool == true)
        #expect(object["exportable"] as? Bool == false)
        #expect(object["notExportableReason"] as? String == "no encoder")
        #expect(object["protected"] as? Bool == false)
        let tracks = try #require(object["tracks"] as? [[String: Any]])
        #expect(tracks[0]["type"] as? String == "video")
        #expect(tracks[0]["codec"] as? String == "h264")
        #expect(tracks[0]["width"] as? Int == 640)
        #expect(tracks[0]["displayWidth"] as? Int == 360)
        #expect(tracks[0]["rotation"] as? Int == 90)
        #expect(tracks[0]["frameRate"] as? Double == 29.97)
        #expect(tracks[1]["channels"] as? Int == 2)
        #expect(tracks[1]["sampleRate"] as? Int == 48000)
        #expect(tracks[1]["language"] as? String == "deu")
    }

    @Test("probe for people has a reason and no control characters")
    func probeText() async throws {
        let bench = try TestBench()
        #expect(await bench.run("probe a.mov", engine: engine) == .success)
        let text = bench.output.text
        #expect(text.contains("exportable  no: no encoder\n"))
        #expect(text.contains("640x360, shown as 360x640, turned 90°\n"))
        #expect(text.contains("29.97 fps, constant\n"))
        #expect(text.contains("\n  title  x\\u{1b}[2J\n"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test(
        "verify ends with 76 when something is wrong",
        arguments: [([], 0), (["frame 7 is damaged"], 76)] as [([String], Int32)])
    func verify(problems: [String], exitCode: Int32) async throws {
        var engine = Engine.built
        engine.decodeWhole = { _ in
            Verification(duration: MediaTime(seconds: Int64(1)), frames: 30, problems: problems)
        }
        let bench = try TestBench()
        #expect(await bench.run("verify a.mp4", engine: engine).rawValue == exitCode)
        #expect(problems.allSatisfy { bench.output.text.contains("a.mp4: \($0)\n") })
        let script = try TestBench()
        #expect(await script.run("verify a.mp4 --json", engine: engine).rawValue == exitCode)
        #expect(script.output.text.contains(#""valid":\#(problems.isEmpty)"#))
    }

    @Test("what is missing or no media has its own exit code, also in JSON")
    func failures() async throws {
        let bench = try TestBench()
        #expect(await bench.run("probe none.mov --json") == .inputMissing)
        #expect(bench.output.text.contains(#"{"type":"error","error":{"code":"inputMissing""#))
        try bench.write("no media at all", to: "text.mov")
        #expect(await bench.run("probe text.mov") == .notMedia)
    }

    @Test("presets for says why one does not suit")
    func presetsFor() async throws {
        var engine = engine
        engine.plans = { _, presets async throws(ExportError) in
            presets.map { preset in
                preset.name == "m4a"
                    ? .refused(.unsupported("a.mov", reason: "it has no sound"))
                    : .plan(ScriptedSession.plan)
            }
        }
        let bench = try TestBench()
        #expect(await bench.run("presets for a.mov --json", engine: engine) == .success)
        let decoded = try JSONSerialization.jsonObject(with: Data(bench.output.text.utf8))
        let rows = try #require(decoded as? [[String: Any]])
        #expect(rows.count == ExportPreset.shipped.count)
        let refused = rows.filter { $0["compatible"] as? Bool == false }
        #expect(refused.compactMap { $0["name"] as? String } == ["m4a"])
        #expect((refused.first?["reason"] as? String)?.contains("it has no sound") == true)
    }
}

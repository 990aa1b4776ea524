import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trims", .tags(.media))
struct TrimTests {
    private func numbered() throws -> Clip {
        try Clip.make(
            "numbered.mp4",
            NumberedPictures.source(seconds: 2) + Clip.tone(seconds: 2)
                + ["-c:v", "libx264", "-g", "60", "-bf", "3", "-c:a", "aac"])
    }

    /// First and last picture, counted at 30 a second.
    static let ranges = [(0, 60), (0, 1), (7, 8), (15, 45), (29, 31), (59, 60), (33, 60)]

    @Test("to whole pictures are exact", arguments: ranges)
    func cutsExactly(first: Int, last: Int) async throws {
        var settings = ExportSettings()
        settings.timeRange = TimeRange(
            start: MediaTime(value: Int64(first), timescale: 30),
            end: MediaTime(value: Int64(last), timescale: 30))
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([try numbered().path], settings: settings)
        #expect(try NumberedPictures.numbers(in: path) == Array(first..<last))
        #expect(report.frames == last - first)
        let streams = try MediaTools.probe(path)
        let length = Double(last - first) / 30
        #expect(abs((streams.streams("video").first?.duration ?? 0) - length) <= 0.001)
        #expect(abs((streams.streams("audio").first?.duration ?? 0) - length) <= 1024.0 / 48_000)
        #expect(streams.streams.allSatisfy { abs($0.start ?? 1) <= 0.001 })
        // Nothing from outside the range is hidden in the file.
        #expect(try MediaTools.packets(path, stream: "v:0").count == last - first)
    }

    @Test("the pictures are those of the source, closely")
    func keepsPictures() async throws {
        let clip = try Clip.make(
            "moving.mp4",
            Clip.picture(size: "160x96", seconds: 2) + ["-c:v", "libx264", "-g", "60"])
        var preset = try ExportTrial.preset()
        preset.video?.crf = 1
        preset.video?.maxBitRate = nil
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 0.5, to: 1)
        let (path, _) = try await trial.export([clip.path], preset: preset, settings: settings)
        let part = "[1:v]trim=start_frame=15:end_frame=30,setpts=PTS-STARTPTS[source]"
        let outcome = try Subprocess.run(
            "ffmpeg",
            ["-nostdin", "-i", path, "-i", clip.path, "-lavfi"]
                + ["\(part);[0:v][source]psnr=stats_file=-", "-f", "null", "-"]
        ).requireSuccess()
        let ratios = outcome.outputText.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }.map { $0.dropFirst(9) }
        }.map { $0 == "inf" ? Double.infinity : Double($0) ?? 0 }
        #expect(ratios.count == 15)
        #expect(try #require(ratios.min()) > 45)
    }

    @Test("cut sound where they cut pictures")
    func cutsSound() async throws {
        let beep = "volume='between(t,1.0,1.2)':eval=frame"
        let clip = try Clip.make(
            "beep.mkv",
            NumberedPictures.source(seconds: 2) + Clip.tone(frequency: 1000, seconds: 2)
                + ["-af", "asetnsamples=48,\(beep)", "-c:v", "libx264", "-c:a", "flac"])
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 0.7, to: 1.5)
        let (path, _) = try await trial.export([clip.path], settings: settings)
        let samples = try Samples(path)
        #expect(abs(try #require(samples.onset()) - 0.3) <= 0.005)
        #expect(abs(samples.values.count - 38_400) <= 1024)
    }

    /// The coder fills its last block: a decoder may give 0.014 s more than the container's six seconds.
    @Test(
        "with a stated end leave out what the coder has added behind it",
        arguments: [nil, 6.0, 9.0])
    func endsWhereStated(end: Double?) async throws {
        let clip = try Clip.make(
            "padded.mov",
            Clip.picture(size: "160x96", rate: "25", seconds: 6)
                + Clip.tone(sampleRate: 44_100, seconds: 6) + ["-c:v", "libx264", "-c:a", "aac"])
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 2, to: end)
        let (path, _) = try await trial.export([clip.path], settings: settings)
        let sound = try #require(try MediaTools.probe(path).streams("audio").first?.duration)
        #expect(sound >= 3.999 && (end != 6 || sound <= 4.001))
        #expect(try MediaTools.packets(path, stream: "v:0").count == 100)
    }

    @Test("outside the source are refused")
    func refusesOutside() async throws {
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 5, to: 6)
        guard
            case .invalidRequest = try await trial.refusal(
                [try numbered().path], settings: settings)
        else {
            Issue.record("not an invalid request")
            return
        }
    }
}

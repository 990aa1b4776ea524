import TakeupExport
import TestSupport
import Testing

@Suite("Codecs that are copied", .tags(.media))
struct CopiedCodecTests {
    /// A codec as FFmpeg calls it, and its encoder.
    static let sound = [
        ("aac", "aac"), ("alac", "alac"), ("ac3", "ac3"), ("eac3", "eac3"), ("mp3", "libmp3lame"),
        ("mp2", "mp2"), ("opus", "libopus"), ("flac", "flac"), ("vorbis", "libvorbis"),
        ("pcm_s16le", "pcm_s16le"),
    ]
    static let pictures = [
        ("h264", "libx264"), ("hevc", "libx265"), ("av1", "libsvtav1"), ("vp9", "libvpx-vp9"),
        ("vp8", "libvpx"), ("mpeg4", "mpeg4"), ("mpeg2video", "mpeg2video"),
        ("mpeg1video", "mpeg1video"), ("mjpeg", "mjpeg"),
    ]

    /// Whether FFmpeg's own muxer takes a clip as it is.
    private func takes(_ clip: Clip, _ muxer: String, _ path: String) throws -> Bool {
        let outcome = try Subprocess.run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-y", "-i", clip.path, "-c", "copy", "-strict", "-2"]
                + ["-f", muxer, path], timeoutSeconds: 60)
        return outcome.succeeded
    }

    /// Expects a copy, or a refusal that the dry run knows, and that no other muxer would have made.
    private func expectVerdict(_ clip: Clip, _ name: String, muxer: String) async throws -> Bool {
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("passthrough").writing(to: name)
        let session = { ExportSession(asset: Asset(path: clip.path), preset: preset) }
        var refusal: ExportError?
        do {
            _ = try await session().forecast(to: trial.file(name))
        } catch {
            refusal = error
        }
        guard let refusal else {
            _ = try await session().export(to: trial.file(name))
            #expect(try takes(clip, muxer, trial.file("other")), "\(clip.path)")
            return true
        }
        guard case .unsupported(_, let reason) = refusal else {
            Issue.record("\(clip.path): \(refusal)")
            return false
        }
        #expect(reason.contains("does not go into \(muxer == "ipod" ? "M4A" : "MP4")"))
        await #expect(throws: refusal) { try await session().export(to: trial.file(name)) }
        return false
    }

    @Test("sound goes where the plan says", arguments: sound)
    func soundGoes(codec: String, encoder: String) async throws {
        let clip = try Clip.make("\(codec).mkv", Clip.tone(seconds: 1) + ["-c:a", encoder])
        let isMP4 = try await expectVerdict(clip, "out.mp4", muxer: "mp4")
        #expect(isMP4 == !["vorbis", "pcm_s16le"].contains(codec))
        let isM4A = try await expectVerdict(clip, "out.m4a", muxer: "ipod")
        // All that an M4A can hold is copied into it.
        let directory = try TemporaryDirectory()
        #expect(try isM4A == takes(clip, "ipod", directory.file("other")))
    }

    @Test("pictures go where the plan says", arguments: pictures)
    func picturesGo(codec: String, encoder: String) async throws {
        let clip = try Clip.make(
            "\(codec).mkv",
            Clip.picture(size: "352x288", rate: "25", seconds: 1) + ["-c:v", encoder])
        let isMP4 = try await expectVerdict(clip, "out.mp4", muxer: "mp4")
        #expect(isMP4 == !["vp8", "mjpeg"].contains(codec))
    }
}

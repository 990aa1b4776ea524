import TakeupExport
import TestSupport
import Testing

@Suite("Copied sound", .tags(.media))
struct CopiedSoundTests {
    /// Four seconds of pictures and a tone that turns louder at 2 s.
    private func clip(_ name: String, _ codec: [String]) throws -> Clip {
        let louder = "asetnsamples=48,volume='if(lt(t,2),0.2,1)':eval=frame"
        return try Clip.make(
            name,
            NumberedPictures.source(rate: "25", seconds: 4) + Clip.tone(seconds: 4)
                + ["-af", louder, "-c:v", "mpeg4", "-bf", "0", "-q:v", "3", "-strict", "-2"] + codec
        )
    }

    @Test(
        "a cut is heard from its first sample on, in its place",
        arguments: [
            ("cut.avi", "libmp3lame"), ("cut.avi", "ac3"), ("cut.mp4", "aac"),
            ("cut.mp4", "libopus"), ("cut.avi", "flac"), ("cut.mkv", "alac"),
            ("fragments.mp4", "flac"), ("fragments.mp4", "alac"),
        ])
    func cuts(_ name: String, codec: String) async throws {
        let fragments = "+frag_keyframe+empty_moov+default_base_moof"
        let clip = try clip(
            name,
            ["-c:a", codec, "-b:a", "64k"]
                + (name.hasPrefix("fragments") ? ["-movflags", fragments] : []))
        let trial = try ExportTrial()
        for start in [1.0, 1.48, 1.6] {
            let (path, _) = try await trial.export(
                [clip.path], preset: .named("passthrough"),
                settings: ExportTrial.settings(from: start, to: 3), to: "\(start).mp4")
            let (old, new) = (try Samples(clip.path), try Samples(path))
            let level = old.level(from: start, to: start + 0.02)
            let heard = new.level(from: 0, to: 0.02)
            #expect(abs(heard / level - 1) < 0.15, "\(start): \(heard) where \(level) was")
            let before = try #require(old.onset(after: 1.5, above: 0.06))
            let after = try #require(new.onset(above: 0.06))
            #expect(abs(after - (before - start)) < 0.002, "from \(start)")
        }
    }

    @Test("sound that is one block is copied, whole and cut", arguments: ["flac", "alac"])
    func onlyBlock(_ codec: String) async throws {
        let clip = try Clip.make(
            "short.mp4",
            NumberedPictures.source(rate: "25", seconds: 0.08) + Clip.tone(seconds: 0.08)
                + ["-c:v", "libx264", "-c:a", codec, "-frame_size", "4096", "-strict", "-2"]
                + ["-movflags", "+frag_keyframe+empty_moov"])
        let trial = try ExportTrial()
        let (cut, _) = try await trial.export(
            [clip.path], preset: .named("passthrough"),
            settings: ExportTrial.settings(from: 0, to: 0.04), to: "cut.mp4")
        #expect(try Samples(cut).seconds > 0.03)
        // FFmpeg would hide the block, half of which lies before the cut.
        let error = await #expect(throws: ExportError.self) {
            try await trial.export(
                [clip.path], preset: .named("passthrough"),
                settings: ExportTrial.settings(from: 0.04, to: 1), to: "late.mp4")
        }
        guard case .unsupported = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let (path, _) = try await trial.export([clip.path], preset: .named("passthrough"))
        #expect(abs(try Samples(path).seconds - 0.08) < 0.006)
    }

    @Test(
        "a cut within one block has its sound", arguments: ["cut.mkv", "fragments.mp4", "cut.avi"])
    func oneBlock(_ name: String) async throws {
        let isFragmented = name.hasPrefix("fragments")
        let clip = try clip(
            name,
            ["-c:a", "flac", "-frame_size", "65535"]
                + (isFragmented ? ["-movflags", "+frag_keyframe+empty_moov"] : []))
        let trial = try ExportTrial()
        for start in [0, 1.4, 1.48] {
            let (path, _) = try await trial.export(
                [clip.path], preset: .named("passthrough"),
                settings: ExportTrial.settings(from: start, to: start + 0.08), to: "\(start).mp4")
            #expect(try Samples(path).seconds > 0.08 - 0.001, "\(start)")
        }
    }

    @Test(
        "sound of a file too large to be read before is copied, and encoded if gaps show",
        arguments: [false, true])
    func large(hasGap: Bool) async throws {
        let noise = "color=gray:size=1280x720:rate=25:duration=3,noise=alls=100:allf=t"
        let gap = hasGap ? "aselect='not(between(t,2,2.5))'" : "anull"
        let clip = try Clip.make(
            "large.mkv",
            ["-f", "lavfi", "-i", noise] + Clip.tone(seconds: 3) + ["-af", gap]
                + ["-c:v", "mpeg4", "-q:v", "1", "-bf", "0", "-c:a", "aac", "-b:a", "96k"])
        var preset = try ExportPreset.named("highest")
        preset.video = VideoSettings(codec: .copy)
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path], preset: preset)
        let hashes = try [clip.path, path].map {
            try MediaTools.frameHashes($0, after: ["-map", "0:a"])
        }
        #expect((hashes[0].map(\.md5) == hashes[1].map(\.md5)) == !hasGap)
        let samples = try Samples(path)
        #expect(abs(samples.seconds - 3) < 0.06)
        #expect((samples.level(from: 2.1, to: 2.4) < 0.01) == hasGap)
    }

    @Test("a first block that a fragmented file without edit lists draws out is no copy's begin")
    func longFirstBlock() async throws {
        let clip = try Clip.make(
            "fragments.mp4",
            NumberedPictures.source(rate: "25", seconds: 4) + Clip.tone(seconds: 4)
                + ["-af", "asetnsamples=48,volume='if(lt(t,2),0,1)':eval=frame"]
                + ["-c:v", "libx264", "-bf", "2", "-g", "25", "-c:a", "aac", "-b:a", "96k"]
                + ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path], preset: .named("highest"))
        // The first block lasts until 0.08 s, where the pictures begin.
        let onset = try #require(try Samples(path).onset(after: 1.5, above: 0.06))
        #expect(abs(onset - 2.08) < 0.003)
    }

    @Test("sound before a cut is left out where a hole follows it")
    func cutInHole() async throws {
        let clip = try Clip.make(
            "fragments.mp4",
            NumberedPictures.source(rate: "25", seconds: 3) + Clip.tone(seconds: 3)
                + ["-af", "asetnsamples=48,volume='if(lt(t,0.5),0.1,1)':eval=frame"]
                + ["-c:v", "libx264", "-bf", "2", "-g", "25", "-c:a", "aac", "-b:a", "96k"]
                + ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [clip.path], preset: .named("passthrough"),
            settings: ExportTrial.settings(from: 0.04, to: 1))
        // The first block, of 21 ms, lasts until 0.08 s.
        let before = try #require(try Samples(clip.path).onset(above: 0.06))
        let after = try #require(try Samples(path).onset(above: 0.06))
        #expect(abs(after - (before - 1024.0 / 48_000)) < 0.001, "\(before), \(after)")
        let sound = try #require(try MediaTools.probe(path).streams("audio").first)
        #expect(abs((sound.start ?? 0) - 0.04) < 0.001)
    }

    private func refusal(_ clip: Clip) async throws -> String? {
        let error = try await ExportTrial().refusal([clip.path], preset: .named("passthrough"))
        guard case .unsupported(_, let reason) = error else { return nil }
        return reason
    }

    @Test("E-AC-3 that its container calls AC-3 is refused, and encoded well")
    func foreignMark() async throws {
        let clip = try clip("mark.nut", ["-c:a", "eac3"])
        let reason = try await refusal(clip)
        #expect(reason == "its sound is E-AC-3, though its container says AC-3")
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path])
        #expect(abs(try Samples(path).seconds - 4) < 0.06)
    }

    @Test("sound whose packets mostly cannot be decoded is refused")
    func undecodable() async throws {
        let source = try clip("bare.mp4", ["-c:a", "aac"])
        // FFmpeg writes blocks without headers, of which nobody knows where they begin.
        let clip = try Clip.make("bare.wtv", ["-i", source.path, "-map", "0", "-c", "copy"])
        let reason = try await refusal(clip)
        #expect(reason == "most of its first packets of sound cannot be decoded")
    }
}

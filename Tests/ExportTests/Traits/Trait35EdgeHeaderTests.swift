import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 35: edge cases of headers and names", .tags(.media))
struct Trait35EdgeHeaderTests {
    @Test(
        "pictures of one pixel grow to the least that H.264 can hold",
        arguments: ["1x1", "2x1", "1x48"])
    func takesTinyPictures(size: String) async throws {
        let clip = try Clip.make(
            "tiny.mkv",
            ["-f", "lavfi", "-i", "color=red:size=\(size):rate=10:duration=0.5,format=rgb24"]
                + ["-c:v", "ffv1"])
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.frames == 5)
        let stream = try #require(try MediaTools.probe(path).streams("video").first)
        let (width, height) = (try #require(stream.width), try #require(stream.height))
        #expect(width == 2 && height == (size == "1x48" ? 48 : 2))
        #expect(try MediaTools.frameCount(path) == 5)
    }

    @Test(
        "pictures smaller than an encoder's least size keep theirs, with black around them",
        arguments: ["hevc-highest", "av1-1920x1080"], ["12x12", "16x8", "2x30", "1x1"])
    func bordersTinyPictures(preset: String, size: String) async throws {
        let clip = try Clip.make(
            "small.mkv",
            ["-f", "lavfi", "-i", "color=white:size=\(size):rate=10:duration=0.5,format=yuv444p"]
                + ["-c:v", "ffv1"])
        let trial = try ExportTrial()
        var preset = try ExportPreset.named(preset)
        let isAV1 = preset.video?.codec == .av1
        preset.video?.speed = isAV1 ? "12" : "ultrafast"
        let (path, report) = try await trial.export([clip.path], preset: preset)
        #expect(report.frames == 5)
        #expect(report.warnings.contains { $0.code == "pictureBordered" })
        let least = isAV1 ? 64 : 16
        let stream = try #require(try MediaTools.probe(path).streams("video").first)
        let sides = size.split(separator: "x").compactMap { Int($0) }.map { max(2, $0) }
        #expect(stream.width == max(least, sides[0]) && stream.height == max(least, sides[1]))
        let picture = try Subprocess.run(
            "ffmpeg",
            ["-v", "error", "-i", path, "-frames:v", "1", "-pix_fmt", "gray"]
                + ["-f", "rawvideo", "-"]
        ).requireSuccess().standardOutput
        let white = picture.count { $0 > 160 }
        let wanted = sides[0] * sides[1]
        // A chroma sample and the quantiser reach over an edge.
        #expect(white >= wanted * 3 / 4 && white <= (sides[0] + 4) * (sides[1] + 4))
    }

    static let names = [
        "-dash.mp4", "new\nline.mp4", "🎬 film ü.mp4", "a'b\"c%20%d.mp4", "concat:x|y.mp4",
        "no-ending",
    ]

    @Test("any name is just a name, of a source and of an output", arguments: names)
    func takesOddNames(name: String) async throws {
        let clip = try Clip.make(
            "plain.mp4", NumberedPictures.source(seconds: 0.5) + ["-c:v", "libx264"])
        let trial = try ExportTrial()
        let source = try trial.directory.write(try clip.bytes(), to: name)
        let output = trial.file("out " + name)
        let session = ExportSession(asset: Asset(path: source), preset: try ExportTrial.preset())
        let report = try await session.export(to: output)
        #expect(report.output == output)
        #expect(try trial.names() == [name, "out " + name].sorted())
        let copy = try TemporaryDirectory().path + ".mp4"
        try FileManager.default.copyItem(atPath: output, toPath: copy)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        #expect(try NumberedPictures.numbers(in: copy) == Array(0..<15))
    }

    @Test("a header that does not know the length yet is no loss")
    func takesStreamedWAV() async throws {
        let clip = try Clip.make("tone.wav", Clip.tone(seconds: 1)).edited(
            "streamed.wav", recipe: "both sizes become 0xFFFFFFFF"
        ) { bytes in
            guard let data = bytes.range(of: Data("data".utf8)) else { return }
            for start in [4, data.upperBound] {
                bytes.replaceSubrange(start..<start + 4, with: Data(repeating: 0xff, count: 4))
            }
        }
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path], to: "out.m4a")
        #expect(abs(try Samples(path).seconds - 1) <= 1024.0 / 48_000)
        #expect(report.loss == nil)
    }

    @Test(
        "nothing, text and zeros are not media", arguments: ["", "no media at all\n", "\0\0\0\0"])
    func refusesNonMedia(contents: String) async throws {
        let trial = try ExportTrial()
        let path = try trial.directory.write(
            Data(String(repeating: contents, count: 100).utf8), to: "x.mp4")
        let error = try await trial.refusal([path])
        guard case .notMedia = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("an index without a single sample is refused")
    func refusesNoFrames() async throws {
        let clip = try Clip.make(
            "none.mp4", Clip.picture(size: "64x64", seconds: 1) + ["-t", "0", "-c:v", "libx264"])
        let trial = try ExportTrial()
        let error = try await trial.refusal([clip.path])
        switch error {
        case .unsupported, .notMedia, .sourceIncomplete: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test("pictures of 30000 pixels a side are refused at once")
    func refusesHugePictures() async throws {
        let clip = try Clip.make(
            "huge.png", Clip.picture(size: "64x64", seconds: 0.1) + ["-frames:v", "1"]
        ).edited("huge.png", recipe: "IHDR says 30000 by 30000") { bytes in
            let size = Data([0, 0, 0x75, 0x30])
            bytes.replaceSubrange(16..<24, with: size + size)
        }
        let trial = try ExportTrial()
        let error = try await trial.refusal([clip.path])
        switch error {
        case .unsupported, .notMedia: break
        default: Issue.record("\(String(describing: error))")
        }
    }
}

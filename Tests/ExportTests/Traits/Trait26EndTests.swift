import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

/// Losses that decoders pass over, and good files that look like them.
@Suite("Trait 26: ends, pages and last pictures", .tags(.media))
struct Trait26EndTests {
    private func loss(_ clip: Clip, _ preset: String) async throws -> LossReport? {
        let error = try await ExportTrial().refusal([clip.path], preset: .named(preset))
        guard case .sourceIncomplete(_, let loss)? = error else {
            Issue.record("\(clip.path): \(String(describing: error))")
            return nil
        }
        return loss
    }

    private func length(_ clip: Clip, _ preset: String = "m4a") async throws -> Double {
        let trial = try ExportTrial()
        let session = ExportSession(asset: Asset(path: clip.path), preset: try .named(preset))
        let report = try await session.export(to: trial.file(preset == "m4a" ? "a.m4a" : "a.mp4"))
        #expect(report.loss == nil)
        return try MediaTools.probe(report.output).format.duration ?? 0
    }

    private func sound(_ name: String, _ options: [String], seconds: Double = 4) throws -> Clip {
        try Clip.make(name, Clip.tone(seconds: seconds) + options)
    }

    static let plain = [
        ("s.wav", "pcm_s16le"), ("s.w64", "pcm_s16le"), ("s.aiff", "pcm_s16be"),
        ("s.caf", "pcm_s16le"), ("s.au", "pcm_s16be"),
    ]

    @Test("sound that is shorter than its header says is cut, by little or much", arguments: plain)
    func plainSound(name: String, codec: String) async throws {
        let clip = try sound(name, ["-c:a", codec])
        #expect(abs(try await length(clip) - 4) < 0.03)
        let bytes = try clip.bytes().count
        for share in [0.5, 0.97] {
            let cut = try clip.truncated(toBytes: Int(Double(bytes) * share), as: name)
            let found = try #require(try await loss(cut, "m4a"))
            #expect(abs(found.lostSeconds.seconds - 4 * (1 - share)) < 0.05 && found.isTruncated)
        }
    }

    @Test("FLAC that is cut within its last half second is cut")
    func flac() async throws {
        let clip = try sound("s.flac", ["-c:a", "flac"])
        let cut = try clip.truncated(toBytes: try clip.bytes().count * 94 / 100, as: "s.flac")
        let found = try #require(try await loss(cut, "m4a"))
        #expect(found.lostSeconds > .zero)
    }

    @Test("an MP3 with fewer frames than its header says is cut")
    func countedFrames() async throws {
        let clip = try sound("s.mp3", ["-c:a", "libmp3lame"])
        #expect(abs(try await length(clip) - 4) < 0.1)
        let cut = try clip.truncated(toBytes: try clip.bytes().count * 95 / 100, as: "s.mp3")
        let found = try #require(try await loss(cut, "m4a"))
        #expect(abs(found.lostSeconds.seconds - 0.2) < 0.1 && found.isTruncated)
    }

    @Test("FLAC files that were joined packet by packet lack nothing", arguments: [1.0, 3, 4])
    func joined(seconds: Double) async throws {
        let directory = try TemporaryDirectory()
        let first = try sound("first.flac", ["-c:a", "flac"], seconds: 3)
        let second = try sound("second\(seconds).flac", ["-c:a", "flac"], seconds: seconds)
        let list = directory.file("list.txt")
        try [first, second].map { "file '\($0.path)'\n" }.joined()
            .write(toFile: list, atomically: true, encoding: .utf8)
        let both = try Clip.make(
            "joined\(seconds).flac", ["-f", "concat", "-safe", "0", "-i", list, "-c", "copy"])
        #expect(try await length(both) > 2.9)
    }

    @Test(
        "what was written to a pipe does not tell its length, and lacks nothing",
        arguments: ["wav", "au", "avi"])
    func piped(form: String) async throws {
        let bytes = try Subprocess.run(
            "ffmpeg",
            ["-v", "error"] + Clip.tone(seconds: 2) + [
                "-f", form, "-c:a", form == "au" ? "pcm_s16be" : "pcm_s16le", "pipe:1",
            ]
        ).requireSuccess().standardOutput
        let directory = try TemporaryDirectory()
        let path = directory.file("piped.\(form)")
        try bytes.write(to: URL(fileURLWithPath: path))
        let session = ExportSession(asset: Asset(path: path), preset: try .named("m4a"))
        let report = try await session.export(to: directory.file("a.m4a"))
        #expect(report.loss == nil && abs(report.duration.seconds - 2) < 0.03)
    }

    @Test("a page of Ogg with a wrong checksum is lost", arguments: [0.5, 0.99])
    func page(place: Double) async throws {
        let clip = try sound("s.oga", ["-c:a", "libvorbis"])
        let broken = try clip.edited("s.oga", recipe: "one byte turned over at \(place)") {
            $0[Int(Double($0.count) * place)] ^= 0x55
        }
        #expect(abs(try await length(clip) - 4) < 0.03)
        let found = try #require(try await loss(broken, "m4a"))
        #expect(found.lostSeconds > .zero)
        #expect(found.details.contains { $0.contains("checksum") })
    }

    @Test(
        "damage in the last picture that others build on is a loss",
        arguments: ["medium", "passthrough"])
    func lastReference(preset: String) async throws {
        let clip = try Clip.make(
            "pyramid.mkv",
            Clip.picture(size: "320x240", seconds: 2)
                + ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-b:v", "1M"])
        let lines = try Subprocess.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", clip.path]
        ).requireSuccess().outputText.split(separator: "\n")
        // Three pictures before the end in decoding order: the last reference.
        let fields = lines[lines.count - 3].split(separator: ",").compactMap { Int($0) }
        let broken = try clip.edited("pyramid.mkv", recipe: "the last reference") { bytes in
            let middle = fields[0] + fields[1] / 2
            for place in middle..<middle + 60 { bytes[place] = UInt8(place * 37 & 0xFF) }
        }
        _ = try await loss(broken, preset)
    }

    @Test("damaged AAC that cannot be copied is a loss, not a failure to write")
    func damagedADTS() async throws {
        let clip = try Clip.make(
            "copied.ts",
            Clip.picture(size: "160x120", seconds: 2) + Clip.tone(seconds: 2)
                + ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"])
        let broken = try clip.edited("copied.ts", recipe: "headers of ADTS overwritten") { bytes in
            var found = 0
            for place in 0..<bytes.count - 1
            where bytes[place] == 0xFF && bytes[place + 1] == 0xF1 && place > bytes.count / 2 {
                found += 1
                if (3...8).contains(found) { bytes[place] = 0 }
            }
        }
        let error = try await ExportTrial().refusal([broken.path])
        guard case .sourceIncomplete? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

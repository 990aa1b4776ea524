import TakeupExport
import TestSupport
import Testing

@Suite("Trait 5: streams that start apart", .tags(.media))
struct Trait05OffsetTests {
    /// Seconds by which the pictures and the sound are put off.
    static let offsets = [(0.0, 0.0), (0, 0.7), (0.7, 0), (3.0, 3.7), (3.7, 3.0)]

    @Test("a flash and a beep keep their distance to 5 ms", arguments: offsets)
    func keepsDistance(_ video: Double, _ audio: Double) async throws {
        let clip = try Self.clip("flash", length: 2.5, at: [1], video: video, audio: audio)
        let made = try await TraitExport(clip, try .hasty("640x480"))
        try made.expectSound()
        let before = try Self.skew(clip.path, after: 0)
        let after = try Self.skew(made.path, after: 0)
        #expect(abs(before - (audio - video)) < 0.005, "the fixture is as meant")
        #expect(abs(after - before) <= 0.005, "\(before) became \(after)")
    }

    @Test("half an hour drifts by less than 10 ms")
    func doesNotDrift() async throws {
        let clip = try Self.clip("long", length: 1800, at: [1, 1795], video: 0, audio: 0.7)
        let made = try await TraitExport(clip, try .hasty("640x480"))
        for begin in [0.9, 1790] {
            let before = try Self.skew(clip.path, after: begin)
            let after = try Self.skew(made.path, after: begin)
            #expect(abs(after - before) <= 0.010, "\(before) became \(after)")
        }
    }

    /// How much later the beep is than the flash, in seconds.
    private static func skew(_ path: String, after seconds: Double) throws -> Double {
        let audio = try #require(try MediaTools.probe(path).streams("audio").first)
        let start = seconds > 0 ? seconds : try #require(audio.start)
        let beep = start + (try Sound(path, from: seconds).onset(above: 0.3))
        let pictures = try Picture.luma(path, from: seconds)
        let times = try Times.seconds(path).filter { $0 >= seconds }
        try #require(pictures.count == times.count)
        let flash = try #require(
            times.indices.first { pictures[$0][8, 8] > 128 })
        return beep - times[flash]
    }

    private static func clip(
        _ name: String, length: Double, at marks: [Double], video: Double, audio: Double
    ) throws -> Clip {
        let isLong = length > 60
        let on = marks.map { "between(t\\,\($0 - 0.001)\\,\($0 + 0.199))" }.joined(separator: "+")
        let size = isLong ? "16x16" : "160x120"
        let picture = "color=black:size=\(size):rate=\(isLong ? 5 : 30):duration=\(length)"
        let flash = "\(picture),drawbox=enable='\(on)':color=white:t=fill"
        let rate = isLong ? 8000 : 48000
        let beep = "aevalsrc='0.8*sin(2*PI*1000*t)*(\(on))':s=\(rate):d=\(length)"
        return try Clip.make(
            "\(name).mkv",
            ["-itsoffset", "\(video)", "-f", "lavfi", "-i", flash]
                + ["-itsoffset", "\(audio)", "-f", "lavfi", "-i", beep]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le"])
    }
}

import TakeupExport
import TestSupport
import Testing

@Suite("Trait 11: ten bits of standard range", .tags(.media))
struct Trait11DeepColourTests {
    @Test("HEVC keeps all ten", arguments: ["libx264", "libx265"])
    func keepsTenBits(_ encoder: String) async throws {
        let clip = try Self.ramp(encoder)
        let made = try await TraitExport(clip, try .hasty("hevc-1920x1080", crf: 4))
        try made.expectSound()
        let video = try made.video()
        #expect(video.pixelFormat == "yuv420p10le" && video.profile == "Main 10")
        #expect(video.codecTag == "hvc1" && video.colorTransfer == "bt709")
        let facts = try MediaTools.mediaInfo(made.path).first { $0.type == "Video" }
        #expect(facts?["BitDepth"] == "10")
        let picture = try #require(try Picture.luma(made.path).last)
        #expect(Self.error(picture, scale: 1) < 0.5, "in steps of ten bits")
    }

    @Test("H.264 has eight, dithered: means between two steps stay what they were")
    func dithersToEight() async throws {
        let clip = try Self.ramp("libx265")
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 1))
        try made.expectSound()
        #expect(try made.video().pixelFormat == "yuv420p")
        let picture = try #require(try Picture.luma(made.path).last)
        // Rounding alone errs by a quarter of a step of eight bits on average.
        #expect(Self.error(picture, scale: 4) < 0.1 * 4)
    }

    /// How far columns are from the ramp on average, in steps of ten bits.
    private static func error(_ picture: Picture, scale: Double) -> Double {
        let places = stride(from: 20, to: 300, by: 5)
        let errors = places.map { x in
            abs(picture.mean(x: x..<x + 5, y: 20..<220) * scale - (400 + Double(x / 5)))
        }
        return errors.reduce(0, +) / Double(errors.count)
    }

    /// A ramp that rises by one step of ten bits every five pixels.
    private static func ramp(_ encoder: String) throws -> Clip {
        let source = "nullsrc=size=320x240:rate=25:duration=0.4,format=yuv420p10le"
        let quality =
            encoder == "libx265"
            ? ["-x265-params", "lossless=1:log-level=error"] : ["-qp", "0"]
        return try Clip.make(
            "ramp.mkv",
            ["-f", "lavfi", "-i", "\(source),geq=lum='400+floor(X/5)':cb=512:cr=512"]
                + ["-c:v", encoder] + quality + [
                    "-colorspace", "bt709", "-color_trc", "bt709", "-color_primaries", "bt709",
                    "-color_range", "tv",
                ])
    }
}

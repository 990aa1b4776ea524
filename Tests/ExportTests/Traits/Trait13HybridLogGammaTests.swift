import TakeupExport
import TestSupport
import Testing

@Suite("Trait 13: hybrid log-gamma", .tags(.media))
struct Trait13HybridLogGammaTests {
    @Test("HEVC keeps ten bits and the tags")
    func keepsHLG() async throws {
        let made = try await TraitExport(try Self.clip(), try .hasty("hevc-1920x1080"))
        try made.expectSound()
        let video = try made.video()
        #expect(video.pixelFormat == "yuv420p10le" && video.codecTag == "hvc1")
        #expect(video.colorTransfer == "arib-std-b67" && video.colorPrimaries == "bt2020")
        #expect(video.colorSpace == "bt2020nc" && video.colorRange == "tv")
        let facts = try MediaTools.mediaInfo(made.path).first { $0.type == "Video" }
        #expect(facts?["transfer_characteristics"] == "HLG" && facts?["BitDepth"] == "10")
        let before = try Picture.luma(Self.clip().path), after = try Picture.luma(made.path)
        #expect(before.count == after.count && after[3].distance(to: before[3]) < 12)
    }

    @Test("H.264 is tone-mapped to BT.709")
    func toneMaps() async throws {
        let made = try await TraitExport(try Self.clip(), try .hasty("640x480", crf: 10))
        try made.expectSound()
        try Trait12HighDynamicRangeTests.expectStandardRange(made)
        #expect(made.report.warnings.contains { $0.code == "toneMapped" })
        let picture = try #require(try Picture.luma(made.path).last)
        let brightest = picture.samples.max() ?? 0
        let darkest = picture.samples.min() ?? 255
        #expect(brightest > 170 && darkest < 40, "\(darkest) to \(brightest)")
    }

    private static func clip() throws -> Clip {
        try Clip.make(
            "hlg.mp4",
            Clip.picture(size: "256x144", rate: "25", seconds: 0.4) + [
                "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-tag:v",
                "hvc1", "-x265-params",
                "crf=8:log-level=error:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc"
                    + ":range=limited",
            ])
    }
}

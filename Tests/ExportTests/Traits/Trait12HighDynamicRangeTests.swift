import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 12: HDR10", .tags(.media))
struct Trait12HighDynamicRangeTests {
    @Test("HEVC keeps ten bits, tags and metadata, in the bitstream and in the boxes")
    func keepsHDR10() async throws {
        let made = try await TraitExport(try Self.clip(), try .hasty("hevc-1920x1080"))
        try made.expectSound()
        let video = try made.video()
        #expect(video.pixelFormat == "yuv420p10le" && video.codecTag == "hvc1")
        #expect(video.colorTransfer == "smpte2084" && video.colorPrimaries == "bt2020")
        #expect(video.colorSpace == "bt2020nc" && video.colorRange == "tv")
        try Self.expectMetadata(video.sideData("Mastering display metadata"))
        let light = try #require(video.sideData("Content light level metadata"))
        #expect(light["max_content"] == "1000" && light["max_average"] == "400")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: made.path))
        for box in ["colr", "mdcv", "clli"] {
            #expect(bytes.range(of: Data(box.utf8)) != nil, "\(box)")
        }

        // The bare bitstream, without any box.
        let directory = try TemporaryDirectory()
        let bare = directory.file("bare.hevc")
        _ = try Subprocess.run(
            "ffmpeg", ["-v", "error", "-i", made.path, "-c", "copy", bare]
        ).requireSuccess()
        let facts = try #require(try MediaTools.mediaInfo(bare).first { $0.type == "Video" })
        #expect(facts["transfer_characteristics"] == "PQ" && facts["colour_primaries"] == "BT.2020")
        #expect(facts["MaxCLL"]?.hasPrefix("1000") == true)
        #expect(facts["MaxFALL"]?.hasPrefix("400") == true)
        #expect(facts["MasteringDisplay_Luminance"] == "min: 0.0001 cd/m2, max: 1000 cd/m2")
        #expect(facts["MasteringDisplay_ColorPrimaries"] == "Display P3")
        #expect(facts["BitDepth"] == "10")
    }

    @Test(
        "H.264 is tone-mapped: 8 bits, BT.709 tags, no trace of PQ",
        arguments: ["640x480", "medium"])
    func toneMaps(_ preset: String) async throws {
        let made = try await TraitExport(try Self.clip(), try .hasty(preset, crf: 5))
        try made.expectSound()
        try Self.expectStandardRange(made)
        #expect(made.report.warnings.contains { $0.code == "toneMapped" })
        let planes = try Picture.lastPlanes(made.path)
        // Grey of 18 % under diffuse white of 203 cd/m² has a lightness of 49.5 in L*a*b*.
        let grey = try Colour.at(32, 60, planes, made.video())
        #expect(abs(Self.lightness(grey.green) - 49.5) < 10, "\(grey)")
        #expect(grey.distance(to: Colour(red: grey.green, green: grey.green, blue: grey.green)) < 3)
        // Brighter stays brighter, and the peak is not far from white.
        let steps = try [32, 96, 160, 224].map { try Colour.at($0, 60, planes, made.video()).green }
        #expect(steps == steps.sorted() && steps[3] > 215, "\(steps)")
    }

    /// Expects what an SDR file made from HDR must and must not say.
    static func expectStandardRange(_ made: TraitExport) throws {
        let video = try made.video()
        #expect(video.pixelFormat == "yuv420p" && video.colorRange == "tv")
        #expect(
            [video.colorTransfer, video.colorPrimaries, video.colorSpace] == [
                "bt709", "bt709", "bt709",
            ])
        #expect(video.sideData("Mastering display metadata") == nil)
        #expect(video.sideData("Content light level metadata") == nil)
        let facts = try #require(try MediaTools.mediaInfo(made.path).first { $0.type == "Video" })
        #expect(facts["HDR_Format"] == nil && facts["transfer_characteristics"] == "BT.709")
    }

    private static func expectMetadata(_ display: [String: String]?) throws {
        let display = try #require(display)
        let wanted = [
            "red_x": 0.68, "red_y": 0.32, "green_x": 0.265, "green_y": 0.69, "blue_x": 0.15,
            "blue_y": 0.06, "white_point_x": 0.3127, "white_point_y": 0.329,
            "min_luminance": 0.0001, "max_luminance": 1000,
        ]
        for (name, value) in wanted {
            let parts = (display[name] ?? "").split(separator: "/").compactMap { Double($0) }
            try #require(parts.count == 2, "\(name)")
            #expect(abs(parts[0] / parts[1] - value) <= value / 1000, "\(name)")
        }
    }

    /// Four steps of grey in PQ: 18 % grey under 203 cd/m² white, that white, 500 and 1000 cd/m².
    private static func clip() throws -> Clip {
        let codes = [36.5, 203, 500, 1000].map { 64 + Int((pq($0) * 876).rounded()) }
        let steps =
            "if(lt(X,64),\(codes[0]),if(lt(X,128),\(codes[1]),if(lt(X,192),\(codes[2]),\(codes[3]))))"
        let luma = steps.replacingOccurrences(of: ",", with: "\\,")
        let source = "nullsrc=size=256x120:rate=25:duration=0.4,format=yuv420p10le"
        let display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"
        return try Clip.make(
            "hdr10.mp4",
            ["-f", "lavfi", "-i", "\(source),geq=lum=\(luma):cb=512:cr=512", "-c:v", "libx265"] + [
                "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
                "crf=4:log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc"
                    + ":master-display=\(display):max-cll=1000,400:hdr10=1:range=limited",
            ])
    }

    /// CIE lightness of a BT.709 signal from 0 to 255, by the inverse of its transfer function.
    private static func lightness(_ signal: Double) -> Double {
        116 * cbrt(pow((signal / 255 + 0.099) / 1.099, 1 / 0.45)) - 16
    }

    /// SMPTE ST 2084's signal for a luminance in cd/m².
    private static func pq(_ luminance: Double) -> Double {
        let power = pow(luminance / 10000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }
}

import TakeupExport
import TestSupport
import Testing

@Suite("Trait 14: grey and packed pictures of full range", .tags(.media))
struct Trait14GreyTests {
    /// What eight columns show, from black to white.
    static let levels = [0, 16, 64, 128, 180, 220, 235, 255]

    /// A source: its name, pixel format, range tag (nil for none) and encoder.
    struct Source: CustomTestStringConvertible, Sendable {
        let file: String
        let pixels: String
        let range: String?
        let encoder: [String]
        var testDescription: String { "\(pixels) \(range ?? "untagged") \(encoder[0])" }
    }

    private static func source(
        _ pixels: String, _ range: String?, _ encoder: String..., file: String = "grey.mkv"
    ) -> Source {
        Source(file: file, pixels: pixels, range: range, encoder: encoder)
    }

    static let lossless265 = "lossless=1:log-level=error:range=full"
    static let sources = [
        source("gray", "pc", "ffv1"), source("gray", "tv", "ffv1"), source("gray", nil, "ffv1"),
        source("gray", nil, "rawvideo", file: "grey.avi"),
        source("gray", "pc", "png", file: "grey.mov"),
        source("gray16be", "pc", "png", file: "grey.mov"),
        source("gray", "pc", "libx265", "-x265-params", lossless265),
        source("gray10le", "pc", "libx265", "-x265-params", lossless265),
        source("gray10le", "tv", "ffv1"), source("gray12le", "pc", "ffv1"),
        source("gray16le", "pc", "ffv1"), source("gray16le", nil, "ffv1"),
        source("ya8", "pc", "png", file: "grey.mov"),
        source("ya16be", "pc", "png", file: "grey.mov"),
        source("yuva420p", "pc", "ffv1"), source("yuva420p", "tv", "ffv1"),
        source("yuva444p10le", "pc", "ffv1"), source("gbrp", "pc", "ffv1"),
        source("gbrp16le", "pc", "ffv1"), source("rgba64be", "pc", "png", file: "grey.mov"),
        source("uyvy422", "pc", "rawvideo"), source("yuyv422", "pc", "rawvideo"),
        source("yuvj444p", "pc", "libx264", "-qp", "0"),
        source("yuv444p12le", "pc", "ffv1"),
    ]

    @Test("keep their levels to 2 of 255", arguments: sources)
    func keepsLevels(_ source: Source) async throws {
        let clip = try Self.clip(source)
        for name in ["highest", "hevc-highest"] {
            let made = try await TraitExport(clip, try .hasty(name, crf: 1))
            try made.expectSound()
            let planes = try Picture.lastPlanes(made.path)
            let scale = try made.video().pixelFormat == "yuv420p10le" ? 4.0 : 1
            for (place, level) in Self.levels.enumerated() {
                let across = place * 40 + 12..<place * 40 + 28
                let found = planes[0].mean(x: across, y: 20..<220) / scale
                // Limited range that says so stays as it is; all else lies between 16 and 235 afterwards.
                let isLimited = source.range == "tv"
                let wanted = isLimited ? Double(level) : 16 + Double(level) * 219 / 255
                if isLimited, level < 16 || level > 235 { continue }
                #expect(abs(found - wanted) <= 2 * 219 / 255, "\(name) \(level): \(found)")
            }
            let chroma = planes.dropFirst().map { $0.mean(x: 20..<140, y: 20..<100) / scale }
            #expect(chroma.allSatisfy { abs($0 - 128) <= 1 }, "\(name): \(chroma)")
        }
    }

    @Test("one bit is black and white, no less and no more")
    func oneBit() async throws {
        let picture = "nullsrc=size=320x240:rate=25:duration=0.2,format=gray"
        let clip = try Clip.make(
            "line.mov",
            [
                "-f", "lavfi", "-i", "\(picture),geq=lum='255*gte(X\\,160)',format=monob", "-c:v",
                "png",
            ])
        let made = try await TraitExport(clip, try .hasty("highest", crf: 1))
        let luma = try #require(try Picture.luma(made.path).last)
        #expect(abs(luma.mean(x: 20..<140, y: 20..<220) - 16) <= 1)
        #expect(abs(luma.mean(x: 180..<300, y: 20..<220) - 235) <= 1)
    }

    @Test(
        "sixteen bits of grey are not squeezed through eight", arguments: ["gray16le", "gray12le"])
    func keepsDepth(_ pixels: String) async throws {
        // A ramp of one step of ten bits every five pixels.
        let ramp = "65535*(400+floor(X/5))/1023"
        let clip = try Clip.make(
            "ramp.mkv",
            [
                "-f", "lavfi", "-i",
                "nullsrc=size=320x240:rate=25:duration=0.2,format=gray16le,geq=lum='\(ramp)'",
                "-vf", "format=\(pixels)", "-c:v", "ffv1", "-color_range", "pc",
            ])
        let made = try await TraitExport(clip, try .hasty("hevc-highest", crf: 1))
        #expect(try made.video().pixelFormat == "yuv420p10le")
        let luma = try #require(try Picture.luma(made.path).last)
        let errors = stride(from: 20, to: 300, by: 5).map { x in
            abs(luma.mean(x: x..<x + 5, y: 20..<220) - 64 - (400 + Double(x / 5)) * 876 / 1023)
        }
        // Eight bits would err by a whole step of ten bits on average.
        #expect(errors.reduce(0, +) / Double(errors.count) < 0.5)
    }

    @Test("colours of a tiny picture are those of its tags")
    func tiny() async throws {
        let clip = try Clip.make(
            "tiny.mov",
            [
                "-f", "lavfi", "-i", "color=0x2060C0:size=12x12:rate=25:duration=0.2,format=rgb24",
                "-c:v", "qtrle",
            ])
        let made = try await TraitExport(clip, try .hasty("highest", crf: 1))
        let planes = try Picture.lastPlanes(made.path)
        let found = try Colour.at(6, 6, planes, made.video())
        #expect(found.distance(to: Colour(red: 32, green: 96, blue: 192)) <= 3, "\(found)")
    }

    private static func clip(_ source: Source) throws -> Clip {
        let columns = levels.enumerated().map { "\($0.element)*eq(floor(X/40)\\,\($0.offset))" }
        let picture =
            "nullsrc=size=320x240:rate=25:duration=0.2,format=gray"
            + ",geq=lum='\(columns.joined(separator: "+"))'"
        // The numbers stay what they are: the tag alone says what they mean.
        let keep = "setparams=range=pc,scale=out_range=full,format=\(source.pixels)"
        let tag = source.range.map { ["-color_range", $0] } ?? []
        return try Clip.make(
            source.file,
            [
                "-f", "lavfi", "-i", picture, "-vf",
                "\(keep),setparams=range=\(source.range ?? "unspecified")", "-c:v",
            ] + source.encoder + tag)
    }
}

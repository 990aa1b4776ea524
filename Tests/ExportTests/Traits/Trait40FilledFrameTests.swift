import TakeupExport
import TestSupport
import Testing

@Suite("Trait 40: frames that are filled", .tags(.media))
struct Trait40FilledFrameTests {
    /// Left, middle and right of a picture: luma 60, 130 and 200.
    private static func bars(
        _ name: String, size: (Int, Int), _ arguments: [String] = []
    ) throws -> Clip {
        let (width, height) = size
        let luma = "if(lt(X\\,W*0.3)\\,60\\,if(lt(X\\,W*0.7)\\,130\\,200))"
        let source =
            "nullsrc=s=\(width)x\(height):r=25:d=0.4,format=yuv420p,"
            + "geq=lum='\(luma)':cb=128:cr=128"
        return try Clip.make(
            name,
            ["-f", "lavfi", "-i", source]
                + (arguments.isEmpty ? ["-c:v", "libx264", "-qp", "4"] : arguments))
    }

    private static func preset(_ fit: FrameFit) throws -> ExportPreset {
        var preset = try ExportPreset.hasty("stories", crf: 4)
        preset.video?.fit = fit
        return preset
    }

    private static func last(_ made: TraitExport) throws -> Picture {
        try made.expectSound()
        #expect(try MediaTools.frameCount(made.path) == 10)
        return try #require(try Picture.luma(made.path).last)
    }

    @Test("a wide picture stands unscaled before a darker blurred copy of its middle")
    func blurred() async throws {
        let clip = try Self.bars("wide.mp4", size: (640, 360))
        let picture = try Self.last(try await TraitExport(clip, try Self.preset(.blur)))
        #expect(picture.width == 640 && picture.height == 1138)
        for (place, luma) in [(60, 60.0), (320, 130), (580, 200)] {
            let found = picture.mean(x: place - 20..<place + 20, y: 400..<730)
            #expect(abs(found - luma) <= 2)
        }
        // 16 + 0.6 × (130 - 16), all over, above and below.
        for rows in [4..<380, 760..<1134] {
            for columns in [4..<40, 300..<340, 600..<636] {
                #expect(abs(picture.mean(x: columns, y: rows) - 84.4) <= 3)
            }
        }
        // Where the picture begins and ends, to the line.
        #expect(abs(picture.mean(x: 300..<340, y: 388..<389) - 130) <= 4)
        #expect(abs(picture.mean(x: 300..<340, y: 387..<388) - 84.4) <= 4)
        #expect(abs(picture.mean(x: 300..<340, y: 747..<748) - 130) <= 4)
        #expect(abs(picture.mean(x: 300..<340, y: 748..<749) - 84.4) <= 4)
    }

    @Test("filling keeps the middle, padding adds black")
    func cutAndPadded() async throws {
        let clip = try Self.bars("wide.mp4", size: (640, 360))
        let cut = try Self.last(try await TraitExport(clip, try Self.preset(.fill)))
        #expect(cut.width == 202 && cut.height == 360)
        #expect(abs(cut.mean(x: 0..<202, y: 0..<360) - 130) <= 1)
        let padded = try Self.last(try await TraitExport(clip, try Self.preset(.pad)))
        #expect(padded.width == 640 && padded.height == 1138)
        #expect(abs(padded.mean(x: 0..<640, y: 0..<386) - 16) <= 1)
        #expect(abs(padded.mean(x: 300..<340, y: 400..<730) - 130) <= 1)
    }

    /// Name, coded size, how it is made, and the frame with `blur` and `fill`.
    static let shapes: [(String, (Int, Int), [String], String, String)] = [
        ("odd.mkv", (321, 181), ["-c:v", "ffv1"], "320x570", "102x180"),
        (
            "flat.mp4", (180, 144), ["-vf", "setsar=64/45", "-c:v", "libx264", "-qp", "4"],
            "256x456", "80x144"
        ),
        ("dot.mkv", (1, 1), ["-c:v", "ffv1"], "2x2", "2x2"),
        ("strip.mkv", (3840, 16), ["-c:v", "ffv1"], "1080x1920", "8x16"),
        ("pole.mkv", (16, 2000), ["-c:v", "ffv1"], "1080x1920", "16x28"),
        (
            "huge.mp4", (96, 54),
            ["-vf", "scale=3840:2160:flags=neighbor", "-c:v", "mpeg4", "-q:v", "3"], "1080x1920",
            "1080x1920"
        ),
    ]

    @Test("odd, flat, tiny and huge pictures get the frame of their size", arguments: shapes)
    func keepsMiddle(
        _ name: String, _ size: (Int, Int), _ arguments: [String], _ blurred: String, _ cut: String
    ) async throws {
        let clip = try Self.bars(name, size: size, arguments)
        for (fit, expected) in [(FrameFit.blur, blurred), (.fill, cut)] {
            let made = try await TraitExport(clip, try Self.preset(fit))
            let picture = try Self.last(made)
            #expect("\(picture.width)x\(picture.height)" == expected, "\(fit)")
            let (x, y) = (picture.width / 2, picture.height / 2)
            let middle = picture.mean(x: x - 1..<x + 1, y: y - 1..<y + 1)
            #expect(abs(middle - (size.0 == 1 ? 60 : 130)) <= 6, "\(fit)")
        }
    }

    @Test("an upright clip that players turn fills its frame as it is")
    func turned() async throws {
        let wide = try Clip.make(
            "lying.mp4", Clip.picture(size: "640x360", seconds: 0.4) + ["-c:v", "libx264"])
        let clip = try Clip.turned("upright.mp4", of: wide)
        for fit in FrameFit.allCases {
            let made = try await TraitExport(clip, try Self.preset(fit))
            let video = try made.video()
            #expect(video.width == 360 && video.height == 640, "\(fit)")
        }
    }

    @Test("an upright 9:16 clip that meets the preset is copied, a wide one is not")
    func copied() async throws {
        let picture = { Clip.picture(size: $0, seconds: 0.4) + ["-c:v", "libx264"] }
        let tall = try Clip.make("tall.mp4", picture("180x320") + ["-pix_fmt", "yuv420p"])
        let made = try await TraitExport(tall, try .named("stories"), copy: .auto)
        #expect(made.plan.video?.mode == .copy)
        let wide = try Clip.make("low.mp4", picture("320x180") + ["-pix_fmt", "yuv420p"])
        let other = try await TraitExport(wide, try .named("stories"), copy: .auto)
        #expect(other.plan.video?.mode != .copy)
    }

    @Test("HDR is blurred after it was tone-mapped")
    func highRange() async throws {
        let clip = try Self.bars(
            "pq.mp4", size: (320, 180),
            [
                "-vf", "format=yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast",
                "-x265-params",
                "log-level=none:qp=8:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
            ])
        let made = try await TraitExport(clip, try Self.preset(.blur))
        let picture = try Self.last(made)
        #expect(try made.video().colorTransfer == "bt709")
        let middle = picture.mean(x: 140..<180, y: 230..<340)
        let above = picture.mean(x: 10..<310, y: 4..<180)
        #expect(abs(above - (16 + 0.6 * (middle - 16))) <= 4, "\(middle) \(above)")
    }

    @Test("uneven times stay, and a joined clip of another shape gets its own blur")
    func timesAndJoins() async throws {
        let uneven = try Clip.make(
            "uneven.mkv",
            Clip.picture(size: "320x180", seconds: 1)
                + [
                    "-vf", "select='not(mod(n\\,7))+lt(mod(n\\,11)\\,6)'", "-vsync", "vfr",
                    "-c:v", "ffv1",
                ])
        let made = try await TraitExport(uneven, try Self.preset(.blur))
        let plain = try await TraitExport(uneven, try .hasty("highest"))
        #expect(
            try Times.ticks(made.path, stream: "v:0") == Times.ticks(plain.path, stream: "v:0"))
        let trial = try ExportTrial()
        let tall = try Self.bars("tall-bars.mp4", size: (180, 320))
        let wide = try Self.bars("wide-bars.mp4", size: (320, 180))
        let joined = try await trial.export([tall.path, wide.path], preset: Self.preset(.blur))
        let pictures = try Picture.luma(joined.path)
        #expect(pictures.count == 20 && pictures[0].width == 180 && pictures[0].height == 320)
        #expect(abs(pictures[5].mean(x: 80..<100, y: 2..<60) - 130) <= 3)
        #expect(abs(pictures[15].mean(x: 80..<100, y: 2..<60) - 84.4) <= 4)
    }
}

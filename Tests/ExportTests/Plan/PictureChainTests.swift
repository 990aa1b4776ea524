import TakeupFFmpeg
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("PictureChain")
struct PictureChainTests {
    private static let bt709 = ColorDescription(
        primaries: "bt709", transfer: "bt709", matrix: "bt709", range: "tv")

    private func chain(
        _ width: Int, _ height: Int, _ pixels: String = "yuv420p",
        color: ColorDescription = bt709, deinterlaces: Bool = false,
        traits change: (inout VideoTraits) -> Void = { _ in },
        encoding: (inout VideoEncoding) -> Void = { _ in }
    ) throws -> [String] {
        let format = VideoFormat(
            width: width, height: height, pixelFormat: try #require(PixelFormat(named: pixels)),
            sampleAspect: Ratio(1, 1), color: color)
        let track = PlanFixture.video { _, traits in
            traits.width = width
            traits.height = height
            change(&traits)
        }
        let chain = PictureChain(
            format: format, traits: try #require(track.video),
            encoding: PlanFixture.encoding(encoding), deinterlaces: deinterlaces)
        return chain.text.split(separator: ",").map(String.init)
    }

    /// Laid out anew with its values as they are.
    private static func unpacked(_ planar: String, range: String = "tv") -> [String] {
        [
            "setparams=range=pc", "scale=out_range=full", "format=\(planar)",
            "setparams=range=\(range)",
        ]
    }

    @Test("what is right already is not touched")
    func untouched() throws {
        #expect(try chain(1280, 720) == ["format=yuv420p"])
    }

    @Test("another size is scaled, with every colour named on both sides")
    func scaled() throws {
        let steps = try chain(1920, 1080)
        #expect(steps.count == 2 && steps.last == "format=yuv420p")
        let scale = try #require(steps.first)
        #expect(scale.hasPrefix("zscale=w=1280:h=720:filter=bicubic:"))
        for part in ["matrixin=bt709", "rangein=limited", "matrix=bt709", "range=limited"] {
            #expect(scale.split(separator: ":").contains(Substring(part)))
        }
    }

    @Test("grey is full range unless it says otherwise")
    func greyRange() throws {
        var untagged = Self.bt709
        untagged.range = nil
        let full = try chain(1280, 720, "gray", color: untagged) { $0.color.range = nil }
        #expect(Array(full.prefix(4)) == Self.unpacked("yuv420p", range: "pc"))
        #expect(full[4].contains(":rangein=full:") && full[4].hasSuffix(":range=limited"))
        let limited = try chain(1280, 720, "gray")
        #expect(limited[4].contains(":rangein=limited:"))
    }

    @Test("the old full-range format is read as full range")
    func fullRange() throws {
        let scale = try #require(
            try chain(1280, 720, "yuvj420p").first { $0.hasPrefix("zscale") })
        #expect(scale.contains(":rangein=full:") && scale.hasSuffix(":range=limited"))
    }

    @Test(
        "is turned upright before it is scaled",
        arguments: [
            (90, false, ["transpose=clock"]), (180, false, ["hflip", "vflip"]),
            (270, false, ["transpose=cclock"]), (0, true, ["hflip"]),
            (90, true, ["transpose=clock", "hflip"]), (180, true, ["hflip", "vflip", "hflip"]),
            (270, true, ["transpose=cclock", "hflip"]),
        ] as [(Int, Bool, [String])])
    func turned(degrees: Int, isMirrored: Bool, expected: [String]) throws {
        let isSideways = degrees % 180 == 90
        let steps = try chain(isSideways ? 720 : 1280, isSideways ? 1280 : 720) {
            $0.orientation = Orientation(clockwiseDegrees: degrees, isMirrored: isMirrored)
        }
        #expect(steps == expected + ["format=yuv420p"])
    }

    @Test("deinterlaces before anything changes the lines")
    func deinterlaced() throws {
        let steps = try chain(1440, 1080, deinterlaces: true) { $0.sampleAspect = Ratio(4, 3) }
        #expect(steps[0] == "bwdif=mode=send_frame:parity=auto:deint=interlaced")
        #expect(steps[1].hasPrefix("zscale=w=1280:h=720:"))
    }

    @Test("an odd line goes, another shape gets bars at even places")
    func oddAndBars() throws {
        let odd = try chain(1281, 721)
        #expect(odd.first == "crop=1280:720:0:0")
        let bars = try chain(400, 300)
        #expect(bars.first?.hasPrefix("zscale=w=960:h=720:") == true)
        #expect(bars.last == "pad=1280:720:160:0:black")
        let tall = try chain(720, 1280)
        #expect(tall.last?.hasPrefix("pad=1280:720:") == true)
    }

    @Test("fills its frame by its middle, or before a blurred copy of it")
    func filled() throws {
        let fills: (inout VideoEncoding) -> Void = {
            ($0.width, $0.height, $0.fit) = (202, 360, .fill)
        }
        #expect(
            try chain(640, 360, encoding: fills)
                == ["crop=202:360:218:0:exact=1", "format=yuv420p"])
        let large = try chain(1920, 1080, encoding: fills)
        #expect(large[0] == "crop=606:1080:656:0:exact=1" && large[1].hasPrefix("zscale=w=202:"))
        let blurred = try chain(
            640, 360, encoding: { ($0.width, $0.height, $0.fit) = (640, 1138, .blur) })
        #expect(blurred[1] == "split[front][back];[back]crop=202:360")
        #expect(blurred.last?.hasSuffix("[head][front][tail]vstack=inputs=3") == true)
        let close = try chain(
            720, 1280, encoding: { ($0.width, $0.height, $0.fit) = (720, 1280, .blur) })
        #expect(close == ["format=yuv420p"])
    }

    @Test(
        "FFmpeg builds every chain that fills a frame",
        arguments: ["yuv420p", "rgba", "gray10le", "yuv410p", "yuv444p", "yuva420p", "yuv440p"])
    func fillable(pixels: String) throws {
        var video = VideoSettings(codec: .h264)
        (video.maxWidth, video.maxHeight, video.orientation) = (1080, 1920, .fixed)
        for fit in FrameFit.allCases {
            video.fit = fit
            for (width, height) in [
                (1920, 1080), (641, 361), (17, 33), (1, 1), (15, 4000), (16_384, 18), (3, 3),
            ] {
                let frame = FrameSize(width: width, height: height).framed(by: video)
                let steps = try chain(
                    width, height, pixels,
                    encoding: {
                        ($0.width, $0.height, $0.fit) = (frame.width, frame.height, fit)
                    })
                let outcome = try Subprocess.run(
                    "ffmpeg",
                    [
                        "-nostdin", "-v", "error", "-noauto_conversion_filters", "-f", "rawvideo",
                        "-pix_fmt", pixels, "-s", "\(width)x\(height)", "-color_range", "pc", "-i",
                        "/dev/zero", "-vf", steps.joined(separator: ","), "-frames:v", "1",
                        "-f", "rawvideo", "-",
                    ])
                #expect(outcome.succeeded, "\(outcome.errorText) \(steps)")
                let chroma = frame.width / 2 * (frame.height / 2)
                #expect(
                    outcome.standardOutput.count == frame.width * frame.height + 2 * chroma,
                    "\(steps)")
            }
        }
    }

    @Test(
        "alpha goes on black, packed formats become planar",
        arguments: [
            ("rgba", ["scale", "format=gbrap", "premultiply=inplace=1"]),
            ("rgb24", ["scale", "format=gbrp"]), ("rgb48le", ["scale", "format=gbrp16le"]),
            ("nv12", unpacked("yuv420p")), ("uyvy422", unpacked("yuv422p")),
            ("gray", unpacked("yuv420p")), ("gray10le", unpacked("yuv420p10le")),
            ("gray16le", unpacked("yuv420p16le")), ("p010le", unpacked("yuv420p16le")),
            ("pal8", ["scale", "format=gbrap", "premultiply=inplace=1"]),
            ("yuva444p", ["premultiply=inplace=1"]),
            ("yuva420p", unpacked("yuva444p") + ["premultiply=inplace=1"]),
            ("ya8", unpacked("yuva444p") + ["premultiply=inplace=1"]),
        ] as [(String, [String])])
    func formats(pixels: String, start: [String]) throws {
        let steps = try chain(1280, 720, pixels)
        #expect(Array(steps.prefix(start.count)) == start)
        #expect(steps.last == "format=yuv420p")
    }

    @Test("HDR is tone-mapped in linear light, or kept with its own tags")
    func highRange() throws {
        let hlg = ColorDescription(
            primaries: "bt2020", transfer: "arib-std-b67", matrix: "bt2020nc", range: "tv")
        let mapped = try chain(
            1920, 1080, "yuv420p10le", color: hlg, encoding: { $0.isToneMapped = true })
        #expect(
            mapped.contains("tonemap=mobius:param=0.3:desat=0:peak=4.93")
                && mapped.contains("format=gbrpf32le"))
        #expect(
            mapped[0].contains("transferin=arib-std-b67") && mapped[0].contains("transfer=linear"))
        let kept = try chain(
            1920, 1080, "yuv420p10le", color: hlg,
            encoding: {
                $0.pixelFormat = "yuv420p10le"
                $0.color = ColorTags(
                    primaries: "bt2020", transfer: "arib-std-b67", matrix: "bt2020nc", range: "tv")
            })
        #expect(
            kept.count == 2 && !kept[0].contains("dither") && kept[0].contains("matrix=bt2020nc"))
    }

    @Test("fewer bits are dithered, tiny pictures left to swscale")
    func depthAndTiny() throws {
        let deep = try chain(1280, 720, "yuv420p10le")
        #expect(deep[0].hasSuffix(":dither=error_diffusion"))
        let tiny = try chain(8, 8, encoding: { ($0.width, $0.height) = (16, 16) })
        #expect(
            tiny == [
                "setparams=range=tv:colorspace=bt709",
                "scale=w=16:h=16:flags=neighbor:out_range=limited:out_color_matrix=bt709",
                "format=yuv420p",
            ])
    }

    @Test(
        "FFmpeg builds every chain",
        arguments: [
            "yuv420p", "yuvj422p", "nv12", "rgba", "bgr24", "rgb48be", "gray", "gray10le", "pal8",
            "yuva444p10le",
            "uyvy422", "p010le", "yuv410p", "yuv411p", "gbrp", "ya8", "monow", "yuv440p",
            "rgb565le",
        ])
    func buildable(pixels: String) throws {
        for (width, height) in [(1920, 1080), (641, 361), (17, 33), (9, 5)] {
            let steps = try chain(width, height, pixels)
            let format = VideoFormat(
                width: width, height: height,
                pixelFormat: try #require(PixelFormat(named: pixels)), sampleAspect: Ratio(1, 1),
                color: Self.bt709)
            #expect(throws: Never.self) {
                _ = try FilterGraph(
                    video: format, timeBase: TimeBase(1, 25), frameRate: nil,
                    chain: steps.joined(separator: ","))
            }
        }
    }

    /// A scaler that FFmpeg adds by itself is told no range, and takes full range for one to be made limited.
    @Test(
        "nothing is converted that the chain does not name",
        arguments: [
            "yuv420p", "yuvj422p", "nv12", "rgba", "bgr24", "rgb48be", "gray", "gray9le",
            "gray10le",
            "gray12le", "gray14le", "gray16be", "grayf32le", "pal8", "yuva420p", "yuva422p12le",
            "yuva444p10le", "uyvy422", "p010le", "p210le", "yuv410p", "yuv411p", "yuv440p12le",
            "yuv420p10be", "gbrp", "gbrap12le", "ya8", "ya16le", "monow", "monob", "rgb565le",
        ])
    func convertsNothingUnsaid(pixels: String) throws {
        for deinterlaces in [false, true] {
            let steps = try chain(640, 360, pixels, deinterlaces: deinterlaces)
            let outcome = try Subprocess.run(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-noauto_conversion_filters", "-f", "rawvideo",
                    "-pix_fmt", pixels, "-s", "640x360", "-color_range", "pc", "-i", "/dev/zero",
                    "-vf", steps.joined(separator: ","), "-frames:v", "1", "-f", "null", "-",
                ])
            #expect(outcome.succeeded, "\(outcome.errorText) \(steps)")
        }
    }
}

import Testing

@testable import TakeupExport

@Suite("FrameSize")
struct FrameSizeTests {
    private static func size(_ width: Int, _ height: Int) -> FrameSize {
        FrameSize(width: width, height: height)
    }

    @Test(
        "fits the limits, keeps the shape, is even and never grows",
        arguments: [
            (size(1920, 1080), 1280, 720, size(1280, 720)),
            (size(640, 360), 1280, 720, size(640, 360)),
            (size(1080, 1920), 1280, 720, size(720, 1280)),
            (size(1440, 1080), 1280, 720, size(960, 720)),
            (size(3840, 1600), 1280, 720, size(1280, 534)),
            (size(641, 361), 1280, 720, size(640, 360)),
            (size(1, 1), 1280, 720, size(2, 2)),
            (size(10_000, 1), 1280, 720, size(1280, 2)),
            (size(1, 10_000), 1280, 720, size(2, 1280)),
            (size(1281, 721), 1280, 720, size(1280, 720)),
        ] as [(FrameSize, Int, Int, FrameSize)])
    func fitted(source: FrameSize, width: Int, height: Int, expected: FrameSize) {
        let fitted = source.fitted(maxWidth: width, maxHeight: height, turns: true)
        #expect(fitted == expected)
        #expect(fitted.width.isMultiple(of: 2) && fitted.height.isMultiple(of: 2))
    }

    @Test("limits that do not turn hold a portrait to their own shape")
    func upright() {
        let portrait = Self.size(1080, 1920)
        #expect(
            portrait.fitted(maxWidth: 1280, maxHeight: 720, turns: false) == Self.size(404, 720)
                || portrait.fitted(maxWidth: 1280, maxHeight: 720, turns: false)
                    == Self.size(406, 720)
        )
        #expect(
            portrait.fitted(maxWidth: 1080, maxHeight: 1920, turns: false) == portrait)
    }

    @Test("without limits only oddness goes")
    func unlimited() {
        #expect(
            Self.size(7681, 4321).fitted(maxWidth: nil, maxHeight: nil, turns: true)
                == Self.size(7680, 4320))
        #expect(
            Self.size(1001, 500).fitted(maxWidth: nil, maxHeight: 501, turns: false)
                == Self.size(1000, 500))
        #expect(
            Self.size(101, 99).fitted(maxWidth: 101, maxHeight: 99, turns: true)
                == Self.size(100, 98))
    }

    @Test(
        "a frame that is filled has the preset's shape and scales nothing up",
        arguments: [
            (size(1920, 1080), FrameFit.blur, size(1080, 1920)),
            (size(1920, 1080), .pad, size(1080, 1920)), (size(1920, 1080), .fill, size(608, 1080)),
            (size(3840, 2160), .fill, size(1080, 1920)), (size(640, 360), .blur, size(640, 1138)),
            (size(640, 360), .fill, size(202, 360)), (size(1080, 1920), .blur, size(1080, 1920)),
            (size(720, 1280), .blur, size(720, 1280)), (size(720, 1280), .fill, size(720, 1280)),
            (size(2160, 3840), .blur, size(1080, 1920)), (size(540, 964), .blur, size(540, 964)),
            (size(641, 361), .blur, size(640, 1140)), (size(1, 1), .blur, size(2, 2)),
            (size(1, 1), .fill, size(2, 2)), (size(16_384, 16), .blur, size(1080, 1920)),
            (size(16_384, 16), .fill, size(8, 16)), (size(16, 16_384), .fill, size(16, 28)),
            (size(640, 360), .fit, size(640, 360)), (size(1920, 1080), .fit, size(1080, 608)),
        ] as [(FrameSize, FrameFit, FrameSize)])
    func framed(picture: FrameSize, fit: FrameFit, expected: FrameSize) {
        var video = VideoSettings(codec: .h264)
        (video.maxWidth, video.maxHeight) = (1080, 1920)
        (video.orientation, video.fit) = (.fixed, fit)
        #expect(picture.framed(by: video) == expected)
        (video.maxWidth, video.maxHeight) = (1920, 1080)
        video.orientation = .any
        let isPortrait = picture.height > picture.width
        if isPortrait { #expect(picture.framed(by: video) == expected) }
    }

    @Test("another shape goes into it with bars, never beyond it")
    func containing() {
        let canvas = Self.size(1280, 720)
        #expect(canvas.containing(Self.size(1920, 1080)) == canvas)
        #expect(canvas.containing(Self.size(400, 300)) == Self.size(960, 720))
        #expect(canvas.containing(Self.size(300, 400)) == Self.size(540, 720))
        #expect(canvas.containing(Self.size(100_000, 1)) == Self.size(1280, 2))
    }
}

import Testing

@testable import TakeupExport

@Suite("ColorPlan")
struct ColorPlanTests {
    private static func tags(_ primaries: String?, _ transfer: String?, _ matrix: String?)
        -> ColorTags
    {
        ColorTags(primaries: primaries, transfer: transfer, matrix: matrix, range: "tv")
    }

    @Test(
        "fills gaps by size, and from what is tagged",
        arguments: [
            (tags(nil, nil, nil), 1920, 1080, tags("bt709", "bt709", "bt709")),
            (tags(nil, nil, nil), 720, 576, tags("bt470bg", "smpte170m", "bt470bg")),
            (tags(nil, nil, nil), 720, 480, tags("smpte170m", "smpte170m", "smpte170m")),
            (tags(nil, nil, nil), 640, 360, tags("smpte170m", "smpte170m", "smpte170m")),
            (tags("bt2020", nil, nil), 640, 360, tags("bt2020", "bt2020-10", "bt2020nc")),
            (
                tags("bt2020", "smpte2084", "bt2020nc"), 640, 360,
                tags("bt2020", "smpte2084", "bt2020nc")
            ),
            (tags(nil, nil, "bt709"), 720, 480, tags("bt709", "bt709", "bt709")),
            (tags(nil, nil, "gbr"), 1920, 1080, tags("bt709", "bt709", "bt709")),
            (tags("smpte240m", nil, nil), 720, 480, tags("smpte240m", "smpte170m", "smpte170m")),
        ] as [(ColorTags, Int, Int, ColorTags)])
    func assumed(source: ColorTags, width: Int, height: Int, expected: ColorTags) {
        #expect(
            ColorPlan.assumed(source, width: width, height: height, isRGB: false) == expected)
    }

    @Test("RGB is full range sRGB unless it says otherwise, and leaves as BT.709")
    func rgb() {
        let assumed = ColorPlan.assumed(ColorTags(), width: 64, height: 48, isRGB: true)
        #expect(
            assumed
                == ColorTags(
                    primaries: "bt709", transfer: "bt709", matrix: "gbr", range: "pc"))
        let output = ColorPlan.output(assumed, toneMapped: false)
        #expect(output.matrix == "bt709" && output.transfer == "bt709" && output.range == "tv")
    }

    @Test("full range becomes limited, a strange matrix BT.709, all else stays")
    func output() {
        var source = Self.tags("bt2020", "arib-std-b67", "bt2020nc")
        source.range = "pc"
        let kept = ColorPlan.output(source, toneMapped: false)
        #expect(
            kept.transfer == "arib-std-b67" && kept.range == "tv" && kept.chromaLocation == "left")
        let mapped = ColorPlan.output(source, toneMapped: true)
        #expect(mapped.primaries == "bt709" && mapped.transfer == "bt709" && !mapped.isHDR)
        let strange = ColorPlan.output(Self.tags("bt709", "bt709", "ycgco"), toneMapped: false)
        #expect(strange.matrix == "bt709")
    }
}

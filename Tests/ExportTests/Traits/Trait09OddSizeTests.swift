import TakeupExport
import TestSupport
import Testing

@Suite("Trait 9: odd sizes", .tags(.media))
struct Trait09OddSizeTests {
    static let sizes = [(321, 181), (320, 181), (321, 180), (161, 90)]

    @Test("lose at most one line or column and nothing else", arguments: sizes)
    func losesOneLine(_ width: Int, _ height: Int) async throws {
        let (wide, tall) = (width + width % 2, height + height % 2)
        let crop = "format=yuv444p,crop=\(width):\(height):0:0:exact=1"
        let clip = try Clip.make(
            "odd.mp4",
            Clip.picture(size: "\(wide)x\(tall)", seconds: 0.5)
                + ["-vf", crop, "-c:v", "libx264", "-preset", "veryfast", "-qp", "8"])
        let source = try Picture.luma(clip.path)
        try #require(source[0].width == width && source[0].height == height)
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 8))
        try made.expectSound()
        let output = try Picture.luma(made.path)
        #expect(output.count == source.count)
        #expect(output[0].width == width / 2 * 2 && output[0].height == height / 2 * 2)
        // Cut, not squeezed: what is left lies where it lay.
        let kept = Picture(source[7], width: output[7].width, height: output[7].height)
        #expect(output[7].distance(to: kept) < 1.5)
        let size = made.plan.decisions.first { $0.subject == "size" }
        #expect(size?.reason.contains("even sizes") == true)
    }

    @Test("odd 4:2:0, as VP9 has it, is exported too")
    func takesOddChroma() async throws {
        let clip = try Clip.make(
            "odd.webm",
            Clip.picture(size: "322x182", seconds: 0.5) + [
                "-vf", "format=yuv444p,crop=321:181:0:0:exact=1,format=yuv420p", "-c:v",
                "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-crf", "20", "-b:v", "0",
            ])
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 8))
        try made.expectSound()
        let source = try Picture.luma(clip.path)
        let output = try Picture.luma(made.path)
        #expect(output.count == source.count)
        #expect(output[0].width == 320 && output[0].height == 180)
        let kept = Picture(source[7], width: 320, height: 180)
        #expect(output[7].distance(to: kept) < 1.5)
    }
}

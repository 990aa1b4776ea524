import TakeupExport
import TestSupport
import Testing

@Suite("Trait 8: interlaced pictures", .tags(.media))
struct Trait08InterlacedTests {
    static let top = weave("tff")
    static let bottom = weave("bff")
    static let fields = ["-flags", "+ildct+ilme"]
    static let woven: [(String, [String])] = [
        ("mbaff-top.mp4", top + ["-c:v", "libx264", "-x264opts", "tff=1"] + fields),
        ("mbaff-bottom.mp4", bottom + ["-c:v", "libx264", "-x264opts", "bff=1"] + fields),
        ("fields.ts", top + ["-c:v", "mpeg2video", "-q:v", "2", "-top", "1"] + fields),
        // Says nothing of its fields: only the content tells.
        ("untold.mkv", bottom + ["-c:v", "ffv1"]),
    ]

    @Test("are made whole: no combs, all frames", arguments: woven)
    func removesCombs(_ name: String, _ arguments: [String]) async throws {
        let clip = try Clip.make(name, Self.motion + arguments)
        let source = try Picture.luma(clip.path)
        let combed = source.map(Self.combs).reduce(0, +) / Double(source.count)
        try #require(combed > 0.01, "the fixture has combs")
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 10))
        try made.expectSound()
        let output = try Picture.luma(made.path)
        let left = output.map(Self.combs).reduce(0, +) / Double(output.count)
        #expect(left < combed / 20, "\(combed) became \(left)")
        #expect(abs(output.count - source.count) <= 1)
        #expect(["progressive", "unknown"].contains(try made.video().fieldOrder))
        let facts = try MediaTools.mediaInfo(made.path).first { $0.type == "Video" }
        #expect(["Progressive", nil].contains(facts?["ScanType"]))
        #expect(try made.video().averageFrameRate == "25/1")
        #expect(made.decides("fields"))
    }

    @Test("a progressive picture is not touched")
    func leavesProgressive() async throws {
        let clip = try Clip.make(
            "whole.mp4", Clip.picture(size: "320x240", rate: "25", seconds: 2) + ["-qp", "10"])
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 5))
        let source = try Picture.luma(clip.path)
        let output = try Picture.luma(made.path)
        #expect(source.count == output.count && !made.decides("fields"))
        for (before, after) in zip(source, output) { #expect(after.distance(to: before) < 1) }
    }

    /// A bar that moves across by 8 pixels a field.
    private static let motion = [
        "-f", "lavfi", "-i", "color=0x404040:size=160x480:rate=50:duration=2",
        "-f", "lavfi", "-i", "color=white:size=40x480:rate=50:duration=2",
    ]

    private static func weave(_ order: String) -> [String] {
        let moves = "[0][1]overlay=x='mod(n*8\\,120)':y=0:format=yuv420"
        return [
            "-filter_complex", "\(moves),format=yuv420p,interlace=scan=\(order):lowpass=0",
        ]
    }

    /// The share of samples that differ from both neighbours above and below in the same direction.
    private static func combs(_ picture: Picture) -> Double {
        var count = 0
        let width = picture.width
        picture.samples.withUnsafeBufferPointer { samples in
            for index in width..<samples.count - width {
                let up = Int(samples[index]) - Int(samples[index - width])
                let down = Int(samples[index]) - Int(samples[index + width])
                if abs(up) > 15, abs(down) > 15, up * down > 0 { count += 1 }
            }
        }
        return Double(count) / Double(picture.width * picture.height)
    }
}

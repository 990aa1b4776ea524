import TakeupExport
import TestSupport
import Testing

@Suite("Trait 10: pixels that are not square", .tags(.media))
struct Trait10PixelAspectTests {
    /// Coded size and aspect, and the shape that is seen.
    static let shapes = [
        (180, 144, "64/45", 16.0 / 9), (180, 144, "16/15", 4.0 / 3), (240, 135, "4/3", 64.0 / 27),
        (352, 120, "10/22", 4.0 / 3), (180, 144, "1/1", 5.0 / 4), (180, 144, "0/1", 5.0 / 4),
    ]

    @Test("the shape stays, the pixels become square", arguments: shapes)
    func keepsShape(_ width: Int, _ height: Int, _ aspect: String, _ shape: Double) async throws {
        for container in ["mp4", "mkv"] {
            let clip = try Clip.make(
                "shaped.\(container)",
                Clip.picture(size: "\(width)x\(height)", seconds: 0.3)
                    + ["-vf", "setsar=\(aspect)", "-c:v", "libx264", "-preset", "veryfast"])
            let made = try await TraitExport(clip, try .hasty("640x480"))
            try made.expectSound()
            let video = try made.video()
            let seen = Double(try #require(video.width)) / Double(try #require(video.height))
            // Even sizes: half a step of 2 pixels is what a side can be off.
            #expect(abs(seen / shape - 1) <= 0.005 + 1 / Double(min(width, height)))
            let facts = try MediaTools.mediaInfo(made.path).first { $0.type == "Video" }
            #expect(facts?["PixelAspectRatio"] == "1.000")
        }
    }

    @Test("a size limit holds for the shape that is seen")
    func limitsDisplay() async throws {
        let clip = try Clip.make(
            "wide.mp4",
            Clip.picture(size: "720x576", rate: "25", seconds: 0.2)
                + ["-vf", "setsar=64/45", "-c:v", "libx264", "-preset", "veryfast"])
        let made = try await TraitExport(clip, try .hasty("640x480"))
        let video = try made.video()
        #expect(video.width == 640 && video.height == 360)
    }
}

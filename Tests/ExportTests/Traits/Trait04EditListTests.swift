import TakeupExport
import TestSupport
import Testing

@Suite("Trait 4: edit lists", .tags(.media))
struct Trait04EditListTests {
    @Test("the first picture shown is the source's at the edit's start")
    func beginsAtEdit() async throws {
        let whole = try Self.whole()
        let clip = try Clip.make("edited.mp4", ["-ss", "0.7", "-i", whole.path, "-c", "copy"])
        let hidden = try MediaTools.packets(clip.path, stream: "v:0").filter(\.isDiscarded).count
        try #require(hidden == 21, "the fixture hides the frames before 0.7 s")
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 10))
        try made.expectSound()
        let packets = try MediaTools.packets(made.path, stream: "v:0")
        #expect(packets.count == 39 && packets.allSatisfy { !$0.isDiscarded })
        #expect(packets.allSatisfy { ($0.pts ?? -1) >= 0 })
        let source = try Picture.luma(whole.path)
        let output = try Picture.luma(made.path)
        #expect(output.count == 39)
        for (place, picture) in output.enumerated() where place % 6 == 0 {
            let own = picture.distance(to: source[21 + place])
            #expect(own < 2 && own * 2 < picture.distance(to: source[20 + place]))
        }
    }

    @Test("passthrough shows the same pictures at the same times")
    func passthroughKeepsEdit() async throws {
        let whole = try Self.whole()
        let clip = try Clip.make("edited.mp4", ["-ss", "0.7", "-i", whole.path, "-c", "copy"])
        let made = try await TraitExport(clip, try .named("passthrough"), copy: .auto)
        let source = try MediaTools.frameHashes(clip.path, after: ["-map", "0:v"])
        let output = try MediaTools.frameHashes(made.path, after: ["-map", "0:v"])
        #expect(source.count == 39 && source.map(\.md5) == output.map(\.md5))
        #expect(try abs((made.video().start ?? 9)) <= 0.001)
    }

    @Test("pictures that an empty edit delays stay behind the sound")
    func keepsEmptyEdit() async throws {
        let whole = try Self.whole()
        let clip = try Clip.make(
            "delayed.mp4",
            ["-itsoffset", "0.5", "-i", whole.path] + Clip.tone(seconds: 2.5)
                + ["-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac"])
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 10))
        try made.expectSound()
        let source = try Picture.luma(whole.path)
        let output = try Picture.luma(made.path)
        let times = try Times.seconds(made.path)
        #expect(times.count == 60 && abs(times[0] - 0.5) < 0.001)
        #expect(output[0].distance(to: source[0]) < 2)
        #expect(abs((try #require(made.audio().duration)) - 2.5) < 0.03)
    }

    private static func whole() throws -> Clip {
        try Clip.make(
            "whole.mp4",
            Clip.picture(size: "320x180", seconds: 2) + [
                "-c:v", "libx264", "-preset", "veryfast", "-g", "60", "-bf", "3",
                "-pix_fmt", "yuv420p",
            ])
    }
}

import TakeupExport
import TestSupport
import Testing

@Suite("Trait 7: packed B-frames", .tags(.media))
struct Trait07PackedFramesTests {
    @Test("as many pictures come out as were packed, each once and in order")
    func keepsFrames() async throws {
        let plain = try Clip.make(
            "plain.avi",
            Clip.picture(size: "160x120", rate: "25", seconds: 2)
                + ["-c:v", "mpeg4", "-bf", "1", "-g", "24", "-q:v", "3", "-vtag", "XVID"])
        let clip = try plain.edited("packed.avi", recipe: "packed") { PackedFrames.pack(&$0) }
        let words = try Subprocess.run(
            "ffmpeg", ["-hide_banner", "-i", clip.path, "-f", "null", "-"]
        ).errorText
        try #require(words.contains("packed B-frames"), "FFmpeg sees what the fixture is")
        let source = try Picture.luma(plain.path)
        try #require(source.count == 50)
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 8))
        try made.expectSound()
        let output = try Picture.luma(made.path)
        #expect(output.count == 50 && made.report.frames == 50)
        for (place, picture) in output.enumerated().dropFirst() {
            let own = picture.distance(to: source[place])
            #expect(own < picture.distance(to: source[place - 1]), "frame \(place)")
        }
        let hashes = try MediaTools.frameHashes(made.path, after: ["-map", "0:v"])
        #expect(Set(hashes.map(\.md5)).count == 50)
        let ticks = try Times.ticks(made.path)
        #expect(Set(zip(ticks, ticks.dropFirst()).map { $1 - $0 }).count == 1)
    }
}

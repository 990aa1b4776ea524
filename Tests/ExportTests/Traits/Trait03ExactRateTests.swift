import TakeupExport
import TestSupport
import Testing

@Suite("Trait 3: exact NTSC rates", .tags(.media))
struct Trait03ExactRateTests {
    static let cases = ["24000/1001", "30000/1001", "60000/1001"].flatMap { rate in
        // MKV rounds its times to milliseconds, TS to 1/90000.
        ["mp4", "mkv", "ts"].map { (rate, $0) }
    }

    @Test("all packets last equally long, at the very rate", arguments: cases)
    func staysExact(_ rate: String, _ container: String) async throws {
        let clip = try Clip.make(
            "ntsc.\(container)",
            Clip.picture(size: "160x120", rate: rate, seconds: 1) + [
                "-c:v", "libx264", "-preset", "veryfast", "-bf", "2",
            ])
        let made = try await TraitExport(clip, try .hasty("640x480"))
        try made.expectSound()
        let packets = try MediaTools.packets(made.path, stream: "v:0")
        #expect(Set(packets.map(\.durationTicks)).count == 1)
        let ticks = try Times.ticks(made.path)
        #expect(Set(zip(ticks, ticks.dropFirst()).map { $1 - $0 }).count == 1)
        let video = try made.video()
        #expect(video.frameRate == rate && video.averageFrameRate == rate)
        #expect(ticks.count == (try MediaTools.frameCount(clip.path)))
        let facts = try MediaTools.mediaInfo(made.path).first { $0.type == "Video" }
        #expect(facts?["FrameRate_Mode"] == "CFR")
    }
}

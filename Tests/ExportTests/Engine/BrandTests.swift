import TakeupExport
import TestSupport
import Testing

@Suite("Brands of outputs", .tags(.media))
struct BrandTests {
    @Test("a file has the brand that its name promises", .tags(.media))
    func brands() async throws {
        let clip = try Clip.base()
        let trial = try ExportTrial()
        for (preset, name, brand) in [
            ("m4a", "a.mp4", "isom"), ("m4a", "a.m4a", "M4A"), ("medium", "b.m4a", "M4A"),
            ("medium", "b.MP4", "isom"),
        ] {
            let made = try await trial.export(
                [clip.path], preset: try ExportTrial.preset(preset).writing(to: name), to: name)
            let text = try Subprocess.run(
                "ffprobe",
                ["-v", "error", "-show_entries", "format_tags=major_brand:stream=codec_type"]
                    + ["-of", "csv=p=0", made.path]
            ).requireSuccess().standardOutput
            let words = String(decoding: text, as: UTF8.self)
            #expect(words.contains(brand), "\(preset) \(name): \(words)")
            #expect(words.contains("video") == (name == "b.MP4"))
        }
        let heard = try Clip.make("heard.wav", Clip.tone(seconds: 1))
        let made = try await trial.export([heard.path], to: "c.mp4")
        #expect(try MediaTools.probe(made.path).streams("audio").count == 1)
    }
}

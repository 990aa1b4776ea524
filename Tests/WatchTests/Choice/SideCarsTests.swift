import TakeupWatch
import Testing

@Suite("Side-cars")
struct SideCarsTests {
    @Test("sound and subtitles go with the film of their stem")
    func stems() {
        let found = SideCars([
            "clip.mov", "clip.wav", "clip.en.srt", "clip.de.forced.SRT", "clip.srt", "clip2.srt",
            "other.mp4", "clip.txt", "clip.old.wav",
        ])
        #expect(
            found.of("clip.mov") == ["clip.de.forced.SRT", "clip.en.srt", "clip.srt", "clip.wav"])
        #expect(found.subtitles(of: "clip.mov").count == 3)
        #expect(found.of("other.mp4").isEmpty && found.of("clip.wav").isEmpty)
    }

    @Test("the longest stem wins, and of two films the first")
    func nearest() {
        let found = SideCars(["a.mov", "a.en.mov", "a.en.srt", "b.mp4", "b.mov", "b.srt", ".srt"])
        #expect(found.of("a.en.mov") == ["a.en.srt"] && found.of("a.mov").isEmpty)
        #expect(found.of("b.mov") == ["b.srt"] && found.of("b.mp4").isEmpty)
    }

    @Test("only so many words stand between, and none that is a sentence")
    func tags() {
        let found = SideCars(["a.mov", "a.b.c.d.srt", "a.b.c.d.e.srt", "a.Two Words.srt"])
        #expect(found.of("a.mov") == ["a.b.c.d.srt"])
    }
}

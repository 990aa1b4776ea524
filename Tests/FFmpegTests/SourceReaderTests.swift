import TakeupFFmpeg
import TestSupport
import Testing

@Suite("Source reading")
struct SourceReaderTests {
    @Test("nothing is asked of a source behind its end")
    func asksNothingBehindEnd() throws {
        let bytes = Array(
            try Clip.make(
                "clip.ts", Clip.picture(seconds: 1) + ["-c:v", "libx264"]
            ).bytes())
        let demuxer = try Demuxer(
            MemorySource(bytes, failsFrom: Int64(bytes.count)), name: "clip.ts")
        try demuxer.findStreams()
        let packet = try Packet()
        var packets = 0
        while try demuxer.read(into: packet) { packets += 1 }
        #expect(packets == 30)
    }
}

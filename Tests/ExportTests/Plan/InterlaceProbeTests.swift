import TakeupFFmpeg
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupExport

@Suite("InterlaceProbe", .tags(.media))
struct InterlaceProbeTests {
    @Test("looks on when the pictures change their format")
    func changesFormat() throws {
        let small = try TestSupport.Clip.make(
            "small.ts",
            TestSupport.Clip.picture(size: "160x96", rate: "25", seconds: 0.2) + [
                "-c:v", "libx264",
            ])
        let moves = "[0][1]overlay=x='mod(n*8\\,120)':y=0:format=yuv420"
        let woven = try TestSupport.Clip.make(
            "woven.ts",
            [
                "-f", "lavfi", "-i", "color=0x404040:size=160x480:rate=50:duration=2",
                "-f", "lavfi", "-i", "color=white:size=40x480:rate=50:duration=2",
                "-filter_complex", "\(moves),format=yuv420p10le,interlace=scan=tff:lowpass=0",
                "-c:v", "libx264", "-qp", "10", "-output_ts_offset", "0.3",
            ])
        let joined = try TestSupport.Clip.concatenated("joined.ts", [small, woven])
        let opened = try Asset(path: joined.path).open()
        let demuxer = try opened.demuxer(Cancellation())
        let stream = try #require(demuxer.streams.first)
        #expect(try InterlaceProbe(demuxer, stream).run() == .topFieldFirst)
    }

    @Test("a stream that cannot be decoded is judged not at all")
    func undecodable() throws {
        let clip = try TestSupport.Clip.make(
            "plain.mp4",
            TestSupport.Clip.picture(size: "160x96", seconds: 0.5)
                + TestSupport.Clip.tone(seconds: 0.5))
        let opened = try Asset(path: clip.path).open()
        let demuxer = try opened.demuxer(Cancellation())
        let sound = try #require(demuxer.streams.first { $0.kind == .audio })
        #expect(try InterlaceProbe(demuxer, sound).run() == .unknown)
    }
}

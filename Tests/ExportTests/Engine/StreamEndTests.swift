import TakeupFFmpeg
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Ends of a finished stream", .tags(.media))
struct StreamEndTests {
    @Test("a stretch is read from its own key picture on, not from the one before")
    func entry() throws {
        let clip = try TestSupport.Clip.make(
            "reordered.mp4",
            TestSupport.Clip.picture(size: "160x120", seconds: 2) + [
                "-c:v", "libx264", "-g", "20", "-bf", "3", "-sc_threshold", "0",
            ])
        let demuxer = try Asset(path: clip.path).open().demuxer(Cancellation())
        let stream = try #require(demuxer.streams.first)
        let end = StreamEnd(stream, demuxer, decodes: true)
        let times = try MediaTools.packets(clip.path, stream: "v:0").compactMap(\.ptsTicks)
        for places in [0..<20, 20..<40, 40..<60] {
            let found = try end.read(places, countingFrom: places.lowerBound)
            #expect(found.problem == nil)
            #expect(found.first == times[places].min())
        }
    }
}

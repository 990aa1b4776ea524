import TakeupFFmpeg
import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("ShownSpans")
struct ShownSpansTests {
    private func span(_ packets: [(pts: Int64?, dts: Int64?)], isVideo: Bool = true) -> [MediaTime]?
    {
        var spans = ShownSpans(TimeBase(1, 25), isVideo: isVideo)
        for packet in packets {
            spans.add(pts: packet.pts, dts: packet.dts, duration: 1, epoch: 0)
        }
        return spans.byEpoch[0].map { [$0.start, $0.end] }
    }

    @Test("packets that say when they are shown are taken at their word")
    func told() {
        #expect(span([(1, 0), (4, 1), (2, 2), (3, 3)]) == [0.04, 0.2])
        #expect(span([(0, 0), (1, 1)], isVideo: false) == [0, 0.08])
    }

    @Test(
        "where a picture says only when it is decoded, the last one is shown as late as the first")
    func decodedOnly() {
        #expect(span([(1, 0), (nil, 1), (2, 2), (3, 3)]) == [0.04, 0.2])
        #expect(span([(1, 0), (3, 1), (2, 2), (nil, 3)]) == [0.04, 0.2])
    }

    @Test("pictures without any time follow one another")
    func untimed() {
        #expect(span([(2, 0), (nil, nil), (nil, nil), (nil, nil)]) == [0.04, 0.24])
        #expect(span([(nil, nil), (nil, nil)]) == nil)
    }

    @Test("sound without any time adds nothing")
    func sound() {
        #expect(span([(0, 0), (nil, nil)], isVideo: false) == [0, 0.04])
    }
}

import TakeupFFmpeg
import TakeupLanes
import TakeupModel
import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("Lines of layers")
struct LayerLineTests {
    /// Three layers of two seconds, ten seconds apart.
    private static let pictures = ComposedPictures(
        rate: Ratio(25, 1), count: 600, background: .black,
        layers: [0, 10, 20].map { start in
            PictureLayer(
                track: 0, segment: PlanFixture.segment(duration: 2, target: start),
                layout: Layout())
        })

    private func line(
        _ input: BoundedQueue<TimedFrame>, _ admission: BoundedQueue<Int>
    ) throws -> LayerLine {
        let pieces = try #require(LayerLine.divided(Self.pictures).first)
        #expect(pieces.map(\.pictures) == [0..<50, 250..<300, 500..<550])
        return LayerLine(
            pieces, of: Self.pictures, timeBase: TimeBase(1, 25), input: input,
            admission: admission)
    }

    @Test("a layer begins a second before it is seen, and not sooner")
    func admission() throws {
        for (time, count) in [(0, 1), (8.96, 1), (9, 2), (18.96, 2), (19, 3)]
            as [(MediaTime, Int)]
        {
            let admission = BoundedQueue<Int>(capacity: 3)
            let line = try line(BoundedQueue<TimedFrame>(capacity: 1), admission)
            line.admit(until: time)
            admission.finish()
            var tokens: [Int] = []
            while let token = admission.pop() { tokens.append(token) }
            #expect(tokens == Array(0..<count), "\(time)")
        }
    }

    @Test(
        "the first picture is seen from a layer's beginning, each from its time, the last to the end"
    )
    func advance() throws {
        let input = BoundedQueue<TimedFrame>(capacity: 20)
        for (segment, times) in [[2, 5, 5, 9], [], [501]].enumerated() {
            for time in times {
                let frame = try Frame()
                frame.ptsTicks = Int64(time)
                _ = input.push(TimedFrame(frame: frame, segment: segment))
            }
            _ = input.push(TimedFrame(frame: try Frame(), segment: segment, endsSegment: true))
        }
        input.finish()
        let line = try line(input, BoundedQueue<Int>(capacity: 3))
        var found: [Int: Int64?] = [:]
        for index in 0..<600 {
            let layer = line.advance(to: index)
            #expect(layer == nil || layer == index / 250)
            found[index] = layer == nil ? nil : .some(line.current?.frame.ptsTicks)
        }
        #expect(found[0] == 2 && found[4] == 2 && found[5] == 5 && found[8] == 5)
        #expect(found[9] == 9 && found[49] == 9 && found[50] == nil)
        // A layer without a picture shows nothing.
        #expect((250..<300).allSatisfy { found[$0] == nil })
        #expect(found[500] == 501 && found[549] == 501 && found[550] == nil)
    }
}

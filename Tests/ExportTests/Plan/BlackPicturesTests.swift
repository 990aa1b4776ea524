import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("Black pictures of empty time")
struct BlackPicturesTests {
    private func pictures(
        _ duration: MediaTime, at target: MediaTime = 0, rate: Ratio? = Ratio(25, 1),
        most: Double? = nil
    ) -> BlackPictures {
        BlackPictures(
            PlanFixture.empty(duration, at: target),
            PlanFixture.timing(timescale: 30_000, most: most), rate: rate)
    }

    @Test("pictures follow each other without a gap, from the start to the exact end")
    func whole() {
        for (duration, rate, count) in [
            (MediaTime(2.5), Ratio(30, 1), 75), (0.51, Ratio(25, 1), 13), (0.49, Ratio(25, 1), 12),
            (MediaTime(value: 1001, timescale: 3000), Ratio(30_000, 1001), 10),
            (0.001, Ratio(25, 1), 1), (7, Ratio(24, 1), 168),
        ] {
            let black = pictures(duration, at: 1.25, rate: rate)
            #expect(black.count == count)
            var time: Int64 = 37_500
            for index in 0..<black.count {
                let picture = black.picture(index)
                #expect(picture.time == time && picture.duration > 0)
                time += picture.duration
            }
            #expect(time == (duration + 1.25).ticks(of: 1, over: 30_000))
        }
    }

    @Test("what is shorter than a tick has no picture")
    func tiny() {
        #expect(pictures(MediaTime(value: 1, timescale: 100_000)).count == 0)
    }

    @Test("their rate is the output's, within its limit, and never that of a slide show")
    func rates() {
        #expect(pictures(1, rate: nil).count == 25)
        #expect(pictures(1, rate: Ratio(1, 4)).count == 25)
        #expect(pictures(1, rate: Ratio(50, 1), most: 30).count == 30)
    }
}

import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("Seams of exact sound")
struct SoundSeamTests {
    private func seam(
        _ duration: MediaTime, at target: MediaTime = 0, isOpen: Bool = false,
        mustFill: Bool = true, speed: Ratio? = nil
    ) -> SoundSeam {
        SoundSeam(
            PlanFixture.segment(
                duration: duration, target: target, isWhole: isOpen, mustFill: mustFill,
                speed: speed), sampleRate: 48_000)
    }

    @Test("samples beyond the end are cut, missing ones are told")
    func cut() {
        let seam = seam(1, at: 1)
        #expect(seam.keep(1024, at: 48_000) == 1024)
        #expect(seam.keep(1024, at: 95_000) == 1000)
        #expect(seam.keep(1024, at: 96_000) == 0)
        #expect(seam.missing(at: 95_999) == 1 && seam.missing(at: 96_000) == 0)
    }

    @Test("crooked lengths add up without drift")
    func drift() {
        let third = MediaTime(value: 1, timescale: 3 * 48_000) + 0.1
        var position: Int64 = 0
        for place in 0..<300 {
            let target = third.scaled(by: MediaTime(seconds: Int64(place)), over: 1)
            position += Int64(seam(third, at: place == 0 ? 0 : target).missing(at: position))
        }
        #expect(position == 300 * 4800 + 100)
    }

    @Test("a last part ends with its sound, at its speed")
    func last() {
        var open = seam(4, at: 1, isOpen: true, mustFill: false, speed: Ratio(2, 1))
        #expect(open.keep(1024, at: 1 << 40) == 1024)
        open.close(after: 7)
        #expect(open.missing(at: 0) == 48_000 * 9 / 2)
        #expect(open.keep(1024, at: 48_000 * 9 / 2) == 0)
        var cut = seam(4, mustFill: false)
        cut.close(after: 3)
        #expect(cut.missing(at: 0) == 48_000 * 3)
        var filled = seam(4)
        filled.close(after: 3)
        #expect(filled.missing(at: 0) == 48_000 * 4)
    }

    @Test("changed sound is fed a tail, other sound is not")
    func tail() {
        #expect(seam(1).tail == 0)
        #expect(seam(1, speed: Ratio(2, 1)).tail == 0.75)
    }
}

import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("SoundContinuity")
struct SoundContinuityTests {
    /// When a block begins, and how long it lasts, in milliseconds; 0 where that is not known.
    struct Block {
        let start: Int64
        let length: Int64

        init(_ start: Int64, _ length: Int64) {
            (self.start, self.length) = (start, length)
        }
    }

    private func isKept(_ blocks: [Block]) -> Bool {
        var continuity = SoundContinuity()
        for block in blocks {
            continuity.add(
                from: MediaTime(value: block.start, timescale: 1000),
                to: MediaTime(value: block.start + block.length, timescale: 1000))
        }
        return continuity.isKept
    }

    @Test("sound is continuous while each block begins about where the last one ends")
    func follows() {
        #expect(isKept([Block(0, 20), Block(20, 20), Block(42, 20)]))
        #expect(!isKept([Block(0, 20), Block(20, 20), Block(50, 20)]))
        #expect(!isKept([Block(0, 20), Block(20, 20), Block(30, 20)]))
    }

    @Test("a first block of unknown length lasts no longer than the second")
    func unknownFirst() {
        #expect(isKept([Block(0, 0), Block(20, 20), Block(40, 20)]))
        #expect(isKept([Block(0, 0), Block(12, 20), Block(32, 20)]))
        #expect(!isKept([Block(0, 0), Block(60, 20), Block(80, 20)]))
    }

    @Test("a later block of unknown length tells nothing")
    func unknownLater() {
        #expect(!isKept([Block(0, 20), Block(20, 0), Block(40, 20)]))
    }
}

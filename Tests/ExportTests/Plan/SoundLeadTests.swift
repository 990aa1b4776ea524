import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("SoundLead")
struct SoundLeadTests {
    /// How many of the first blocks are left out, and after how many blocks that is certain; 0 for at the end.
    private func left(_ blocks: [Int64], start: Int64, isEqual: Bool = true) -> [Int] {
        var lead = SoundLead(start: start, hasEqualBlocks: isEqual)
        for (place, block) in blocks.enumerated() {
            if let useless = lead.useless(with: block) { return [useless, place + 1] }
        }
        return [lead.uselessAtEnd(), 0]
    }

    @Test("blocks that follow one another all stay")
    func even() {
        #expect(left([0, 10, 20, 30, 40], start: 25) == [0, 5])
        #expect(left([20, 30, 40], start: 20) == [0, 2])
    }

    @Test("of a block that lasts until the start nothing is left out because times are rounded")
    func rounded() {
        #expect(left([0, 12, 20, 33, 41, 50], start: 22) == [0, 5])
    }

    @Test("what ends before a hole at the start is left out, and all that comes before it")
    func hole() {
        #expect(left([0, 10, 40, 50, 60], start: 30) == [2, 4])
        #expect(left([0, 40, 50], start: 30) == [1, 3])
    }

    @Test("a block that is heard at the start stays, whatever follows it")
    func inProgress() {
        #expect(left([0, 10, 20, 50, 60], start: 25) == [0, 5])
    }

    @Test("at the end it is decided by what there is")
    func end() {
        #expect(left([0, 10, 40], start: 30) == [2, 0])
        #expect(left([0], start: 30) == [0, 0])
        #expect(left([], start: 30) == [0, 0])
    }

    @Test("a bounded number of blocks waits")
    func bounded() {
        let blocks = (0..<200).map { Int64($0) }
        #expect(left(blocks, start: 1000) == [0, SoundLead.mostWaiting])
    }

    @Test("of blocks of several lengths none is left out")
    func unequal() {
        #expect(left([0, 10, 40, 50], start: 30, isEqual: false) == [0, 1])
    }
}

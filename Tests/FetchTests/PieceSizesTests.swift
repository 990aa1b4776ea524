import TakeupFiles
import Testing

@testable import TakeupFetch

@Suite("Sizes of a stream's pieces")
struct PieceSizesTests {
    private func sizes(_ counts: [Int64]) -> PieceSizes {
        var sizes = PieceSizes()
        for (number, count) in counts.enumerated() { sizes.note(number, byteCount: count) }
        return sizes
    }

    @Test(
        "tell the first piece that lacks something, and where it goes",
        arguments: [
            ([], 0, 0), ([0..<9], 0, 0), ([0..<10], 1, 10), ([0..<15], 1, 10), ([0..<30], 3, 30),
            ([0..<60], 4, 60), ([0..<99], 4, 60), ([10..<60], 0, 0), ([0..<30, 31..<60], 3, 30),
        ] as [([Range<Int64>], Int, Int64)])
    func next(present: [Range<Int64>], number: Int, start: Int64) {
        let next = sizes([10, 20, 0, 30]).next(RangeSet(present))
        #expect(next == PieceSizes.Place(number: number, start: start))
        #expect(PieceSizes().next(RangeSet(present)) == PieceSizes.Place(number: 0, start: 0))
    }

    @Test("grow by the next piece only, and never change")
    func note() {
        var known = sizes([10, 20])
        known.note(0, byteCount: 99)
        known.note(1, byteCount: 99)
        known.note(3, byteCount: 99)
        #expect(known == sizes([10, 20]))
        #expect((0...2).map { known.byteCount(of: $0) } == [10, 20, nil])
    }

    @Test("survive in the journal, and end with it")
    func journal() throws {
        let header = JournalHeader(generation: 7, createdAt: 1)
        let records: [JournalRecord] = [
            .piece(0, byteCount: 10), .block(0, StoredBlock(checksum: 1, byteCount: 2)),
            .piece(1, byteCount: .max), .complete, .piece(2, byteCount: 0),
        ]
        let bytes = header.bytes + records.flatMap { $0.bytes(generation: 7) }
        let content = try #require(JournalContent(bytes))
        #expect(content.byteCount == bytes.count)
        #expect(content.pieces == sizes([10, Int64(UInt32.max), 0]))
        #expect(JournalRecord(records[2].bytes(generation: 7), generation: 7) == records[2])
        let torn = try #require(JournalContent(Array(bytes.dropLast())))
        #expect(torn.pieces == sizes([10, Int64(UInt32.max)]))
    }
}

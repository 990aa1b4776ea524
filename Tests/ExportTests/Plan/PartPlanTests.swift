import TakeupFFmpeg
import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("Parts of a track")
struct PartPlanTests {
    /// Sets of libx264: 642x362, High, level 3, bframes 3; Constrained Baseline; Main with tags of colour and shape.
    private static let high = bytes("6764001eacd940a42fe224c044000003000400000300f03c58b658")
    private static let highPicture = bytes("68ebe3cb22c0")
    private static let baseline = bytes("6742c01ed900a42fe224c044000003000400000300f03c58b920")
    private static let tagged = bytes(
        "674d401eeca05217f1127fe05a80786d40404050000003001000000303c0f162d960")

    private static func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap { place in
            let start = text.index(text.startIndex, offsetBy: place)
            return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16)
        }
    }

    // MARK: Parameter sets

    @Test("a sequence parameter set tells profile, level, size, shape and colours")
    func sequence() throws {
        let high = try #require(SequenceSet(Self.high))
        #expect((high.profile, high.level, high.id, high.references) == (100, 30, 0, 4))
        // 41 by 23 macroblocks; seven pairs of columns and three pairs of lines are cropped.
        #expect(high.picture.size == [40, 22, 0, 7, 0, 3])
        #expect(high.picture.isProgressive && high.picture.aspect == Ratio(1, 1))
        #expect(high.picture.color == [2, 2, 2])
        let tagged = try #require(SequenceSet(Self.tagged))
        #expect((tagged.profile, tagged.constraints) == (77, 0x40))
        #expect(tagged.picture.aspect == Ratio(724, 963))
        #expect(tagged.picture.color == [1, 1, 1] && !tagged.picture.isFullRange)
        let picture = try #require(PictureSet(Self.highPicture))
        #expect((picture.id, picture.sequence) == (0, 0))
    }

    @Test("a set that is cut off or is none is refused", arguments: [0, 1, 4, 8, 12])
    func cutOff(count: Int) {
        #expect(SequenceSet(Array(Self.high.prefix(count))) == nil)
        #expect(SequenceSet(Self.highPicture) == nil && PictureSet(Self.high) == nil)
        #expect(PictureSet([0x68]) == nil)
    }

    @Test("random bytes are read without a fault")
    func hostile() {
        var state: UInt64 = 1
        for length in 1..<400 {
            let bytes = (0..<length).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            _ = SequenceSet([0x67] + bytes)
            _ = PictureSet([0x68] + bytes)
        }
    }

    @Test("an encoder's set may ask for no more than the copied parts")
    func difference() throws {
        let high = try #require(SequenceSet(Self.high))
        let baseline = try #require(SequenceSet(Self.baseline))
        #expect(high.difference(from: high)?.contains("id") == true)
        #expect(high.difference(from: baseline)?.contains("profile") == true)
        let tagged = try #require(SequenceSet(Self.tagged))
        #expect(tagged.difference(from: high) != nil)
    }

    // MARK: Packets

    @Test("packets get lengths of four bytes, and lose their parameter sets")
    func packing() {
        func packed(_ bytes: [UInt8], _ lengthBytes: Int) -> [UInt8]? {
            bytes.withUnsafeBufferPointer { UnitPacking.packed($0, lengthBytes) }
        }
        #expect(packed([0, 0, 0, 2, 0x65, 9], 4) == nil)
        #expect(packed([0, 0, 0, 2, 0x67, 1, 0, 0, 0, 2, 0x65, 9], 4) == [0, 0, 0, 2, 0x65, 9])
        #expect(packed([0, 2, 0x65, 9], 2) == [0, 0, 0, 2, 0x65, 9])
        let annexB: [UInt8] = [0, 0, 0, 1, 0x68, 1, 0, 0, 0, 1, 0x65, 9, 0, 0, 1, 0x65, 8]
        #expect(packed(annexB, 0) == [0, 0, 0, 2, 0x65, 9, 0, 0, 0, 2, 0x65, 8])
    }

    @Test("a configuration holds the sets of all parts, and the flags that all have")
    func configuration() throws {
        let record = try #require(
            UnitPacking.configuration(
                [Self.high, Self.highPicture], and: [Self.baseline, [0x68, 0x40]]))
        #expect(Array(record.prefix(6)) == [1, 100, 0, 30, 0xFF, 0xE2])
        let read = ParameterSets("h264", record)
        #expect(read.sets == [Self.high, Self.baseline, Self.highPicture, [0x68, 0x40]])
        #expect(read.lengthBytes == 4 && Array(record.suffix(4)) == [0xFD, 0xF8, 0xF8, 0])
        #expect(UnitPacking.configuration([], and: []) == nil)
    }

    // MARK: Searches

    /// Packets by time; those at `entries` are IDR pictures.
    private func packets(_ times: [Int64], entries: Set<Int64>) -> [SeamPacket] {
        times.map { SeamPacket(time: $0, isEntry: entries.contains($0)) }
    }

    @Test(
        "the copy begins with the first IDR picture at or after the start",
        arguments: [
            (0, 0, false), (1, 8, true), (7, 8, true), (8, 8, false), (9, 16, true),
            (17, nil, false),
        ] as [(Int64, Int64?, Bool)])
    func entry(start: Int64, wanted: Int64?, hasHead: Bool) {
        let all = packets(
            [0, 3, 1, 2, 6, 4, 5, 7, 8, 11, 9, 10, 14, 12, 13, 15, 16, 17], entries: [0, 8, 16])
        var search = EntrySearch(start: start, end: 100)
        for packet in all where !search.take(packet) { break }
        #expect(search.entry == wanted)
        #expect(search.hasHead == hasHead)
    }

    @Test("an entry that an edit list hides, or that lies behind the end, is none")
    func noEntry() {
        var search = EntrySearch(start: 0, end: 8)
        for packet in packets([1, 2, 8], entries: [8]) { _ = search.take(packet) }
        #expect(search.entry == nil)
        search = EntrySearch(start: 0, end: nil)
        _ = search.take(SeamPacket(time: 0, isEntry: true, isHidden: true))
        #expect(search.entry == nil && !search.hasHead)
        _ = search.take(SeamPacket(time: 4, isEntry: true))
        #expect(search.entry == 4 && !search.hasHead)
    }

    @Test(
        "the copy ends where all pictures before it are shown before all others",
        arguments: [
            // In decoding order: 0 3 1 2 6 4 5 7 8.
            (1, 0, 3, nil), (2, 0, 3, 1), (3, 0, 3, 1), (4, 3, 6, nil), (5, 3, 6, 4),
            (7, 6, 7, nil),
            (8, 7, 8, nil),
        ] as [(Int64, Int64, Int64, Int64?)])
    func stop(end: Int64, last: Int64, next: Int64, tail: Int64?) throws {
        var search = StopSearch(end: end)
        for packet in packets([0, 3, 1, 2, 6, 4, 5, 7, 8], entries: [0, 8])
        where !search.take(packet) { break }
        let stop = try #require(search.stop(from: 0))
        #expect(stop == StopSearch.Stop(last: last, next: next, tail: tail))
        #expect(search.depth.pictures == 1)
    }

    @Test("leading pictures of an open group belong to the part before it")
    func openGroup() throws {
        let times: [Int64] = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 10]
        var search = StopSearch(end: 8)
        for packet in packets(times, entries: [0]) where !search.take(packet) { break }
        #expect(search.stop(from: 0) == StopSearch.Stop(last: 6, next: 9, tail: 7))
        #expect(search.stop(from: 7) == nil)
    }

    @Test("without an end, the copy goes on to the source's last packet, unless one is hidden")
    func openEnd() {
        var search = StopSearch(end: nil)
        for packet in packets([0, 3, 1, 2], entries: [0]) { _ = search.take(packet) }
        #expect(search.stop(from: 0) == StopSearch.Stop(last: 3, next: nil, tail: nil))
        _ = search.take(SeamPacket(time: 4, isHidden: true))
        _ = search.take(SeamPacket(time: 5))
        #expect(search.stop(from: 0) == StopSearch.Stop(last: 3, next: 4, tail: 5))
    }

    // MARK: Parts

    @Test("a cut becomes an encoded head, a copied middle and an encoded tail, without a gap")
    func divided() {
        let segment = PlanFixture.segment(
            start: MediaTime(value: 5, timescale: 10), duration: 2, target: 1, isWhole: false)
        let span = CopySpan(
            entry: 1_000, hasHead: true,
            stop: StopSearch.Stop(last: 2_200, next: 2_400, tail: 2_300),
            depth: 2)
        let parts = ExportPlanner.divided(segment, span, 1_000, isLast: true)
        #expect(parts.map(\.isCopied) == [false, true, false])
        let starts = parts.map { $0.segment.targetStart.ticks(of: 1, over: 1_000) }
        #expect(starts == [1_000, 1_500, 2_800])
        #expect(parts.map { $0.segment.duration.ticks(of: 1, over: 1_000) } == [500, 1_300, 200])
        #expect(parts[1].packets?.end == 2_300 && parts[1].packets?.stop == 2_400)
        #expect(parts.allSatisfy { !$0.segment.isOpenEnded })
    }

    @Test("the last picture of a source keeps its own duration")
    func ownDuration() {
        var segment = PlanFixture.segment(start: 1, duration: 2, isWhole: false)
        segment.reachesEnd = true
        let span = CopySpan(
            entry: 1_000, hasHead: false, stop: StopSearch.Stop(last: 2_960, next: nil, tail: nil),
            depth: 0)
        let parts = ExportPlanner.divided(segment, span, 1_000, isLast: true)
        #expect(parts.count == 1 && parts[0].packets?.end == nil)
    }
}

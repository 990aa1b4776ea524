import TakeupFiles
import Testing

@Suite("Range set")
struct RangeSetTests {
    @Test("joins what overlaps or touches")
    func joins() {
        var set = RangeSet([0..<10, 20..<30, 40..<50])
        set.insert(10..<20)
        #expect(set.ranges == [0..<30, 40..<50])
        set.insert(25..<45)
        #expect(set.ranges == [0..<50])
        set.insert(60..<60)
        #expect(set.ranges == [0..<50])
        #expect(set.byteCount == 50)
        set.insert(52..<53)
        #expect(set.ranges == [0..<50, 52..<53])
    }

    @Test("takes away at the ends, in the middle, and over several")
    func removes() {
        var set = RangeSet([0..<100, 200..<300])
        set.remove(40..<60)
        #expect(set.ranges == [0..<40, 60..<100, 200..<300])
        set.remove(90..<250)
        #expect(set.ranges == [0..<40, 60..<90, 250..<300])
        set.remove(0..<1000)
        #expect(set.isEmpty)
        set.remove(0..<1)
        #expect(set.isEmpty)
    }

    @Test("tells what is here, and what is not")
    func queries() {
        let set = RangeSet([10..<20, 30..<40])
        #expect(set.contains(10..<20))
        #expect(set.contains(15..<15))
        #expect(!set.contains(15..<31))
        #expect(!set.contains(9..<11))
        #expect(set.prefixEnd(from: 12) == 20)
        #expect(set.prefixEnd(from: 20) == 20)
        #expect(set.prefixEnd(from: 5) == 5)
        #expect(set.intersection(15..<35).ranges == [15..<20, 30..<35])
        #expect(set.intersection(15..<15).isEmpty)
    }

    @Test("works up to the largest offset")
    func largest() {
        var set = RangeSet([Int64.max - 10..<Int64.max])
        set.insert(0..<5)
        #expect(set.ranges == [0..<5, Int64.max - 10..<Int64.max])
        set.remove(0..<Int64.max)
        #expect(set.isEmpty)
    }
}

import Testing

@testable import TakeupExport

@Suite("SampleGrid")
struct SampleGridTests {
    @Test("times that were rounded to milliseconds lie on their samples again")
    func unrounds() {
        var grid = SampleGrid(rate: 48_000, packet: 1024, tolerance: 48)
        let rounded = (0..<100).map { Int64(((Double($0) * 1024 / 48).rounded()) * 48) }
        #expect(rounded.map { grid.place($0) } == (0..<100).map { Int64($0) * 1024 })
    }

    @Test("a gap stays, and what follows it keeps its distance")
    func keepsGaps() {
        var grid = SampleGrid(rate: 48_000, packet: 1024, tolerance: 48)
        let times: [Int64] = [0, 1008, 2064, 9600, 10_608]
        #expect(times.map { grid.place($0) } == [0, 1024, 2048, 9600, 10_624])
    }
}

import TestSupport
import Testing

@testable import TakeupExport

@Suite("DecodeOrder")
struct DecodeOrderTests {
    private func times(
        _ shown: [Int64], stored: [Int64?] = [], keepsTimes: Bool = false, depth: Int = 0
    ) -> [(pts: Int64, dts: Int64)] {
        var order = DecodeOrder(keepsTimes: keepsTimes, depth: depth)
        var found: [(pts: Int64, dts: Int64)] = []
        for (place, pts) in shown.enumerated() {
            let dts = place < stored.count ? stored[place] : nil
            order.add(pts: pts, dts: dts, duration: 40)
            while order.isReady, let next = order.next() { found.append(next) }
        }
        while let next = order.next() { found.append(next) }
        return found
    }

    /// Groups of five: one picture ahead, a B-picture that others refer to, and two beside it.
    private func pyramid(groups: Int) -> [Int64] {
        [0] + (0..<groups).flatMap { group in [160, 80, 40, 120].map { Int64(group) * 160 + $0 } }
    }

    @Test("a picture is decoded when the one as many places before it as are reordered is shown")
    func pyramids() {
        let shown = pyramid(groups: 25)
        let found = times(shown)
        #expect(found.map(\.pts) == shown)
        #expect(found.map(\.dts) == shown.indices.map { Int64($0) * 40 - 80 })
    }

    @Test("what FFmpeg guessed is not believed where the container keeps no decoding times")
    func ignoresGuesses() {
        let shown = pyramid(groups: 25)
        let found = times(shown, stored: shown.map { $0 + 200 })
        #expect(found.map(\.dts) == shown.indices.map { Int64($0) * 40 - 80 })
    }

    @Test("pictures in order are decoded when they are shown")
    func unordered() {
        let shown = (0..<100).map { Int64($0) * 33 }
        #expect(times(shown).map(\.dts) == shown)
        #expect(times([7]).map(\.dts) == [7])
        #expect(times([]).isEmpty)
    }

    @Test("a deeper order that begins late is made room for beforehand")
    func deepens() {
        let plain = (0..<100).map { Int64($0) * 40 }
        let found = times(plain + pyramid(groups: 25).map { $0 + 4000 })
        expectSound(found)
        #expect(found[0].dts == 0)
    }

    @Test("the container's own times are kept as far as they fit")
    func keeps() {
        let found = times([0, 120, 40, 80], stored: [-40, 0, 40, 90], keepsTimes: true)
        #expect(found.map(\.dts) == [-40, 0, 40, 80])
        let falling = times([0, 40, 80], stored: [0, 0, nil], keepsTimes: true)
        #expect(falling.map(\.dts) == [0, 1, 80])
    }

    @Test("any order of up to sixteen places gives rising times, none behind its presentation")
    func anyOrder() {
        var random = SeededRandom(state: 17)
        for depth in 1...16 {
            var pool: [(rank: Int, pts: Int64)] = []
            var shown: [Int64] = []
            var next: Int64 = 0
            while shown.count < 300 {
                while pool.count <= depth {
                    pool.append((pool.count + shown.count, next))
                    next += Int64.random(in: 30...50, using: &random)
                }
                // The oldest waits no longer than the depth allows.
                let isDue = shown.count >= pool[0].rank + depth
                let place = isDue ? 0 : Int.random(in: pool.indices, using: &random)
                shown.append(pool.remove(at: place).pts)
            }
            let found = times(shown)
            #expect(found.map(\.pts) == shown, "\(depth)")
            expectSound(found)
        }
    }

    private func expectSound(_ found: [(pts: Int64, dts: Int64)]) {
        #expect(found.allSatisfy { $0.dts <= $0.pts })
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.dts < $1.dts })
    }
}

import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("SoundPace")
struct SoundPaceTests {
    /// Blocks of 32 ms whose times step by so many seconds; nil stands for no time.
    private func pace(_ steps: [Double?]) -> SoundPace {
        var pace = SoundPace()
        var time = 0.0
        for step in [0.0] + steps {
            if let step { time += step }
            pace.add(step == nil ? nil : MediaTime(seconds: time), lasting: 0.032)
        }
        return pace
    }

    @Test("times that fit their sound, jitter, or drift a little are believed")
    func fitting() {
        #expect(pace(Array(repeating: 0.032, count: 8)).wrongRatio == nil)
        #expect(pace([0.02, 0.044, 0.02, 0.044, 0.02, 0.044, 0.02, 0.044]).wrongRatio == nil)
        #expect(pace(Array(repeating: 0.03, count: 8)).wrongRatio == nil)
        #expect(pace([nil, 0.064, nil, 0.064, nil, 0.064, nil, 0.064]).wrongRatio == nil)
    }

    @Test("times that are too slow, stand still or are too fast in every step are wrong")
    func wrong() throws {
        for step in [0, 0.008, 0.024, 0.064] {
            let ratio = try #require(pace(Array(repeating: step, count: 8)).wrongRatio)
            #expect(abs(ratio - step / 0.032) < 0.001)
        }
    }

    @Test("one step that fits, a step back, and too few steps prove nothing")
    func unproved() {
        #expect(pace([0.008, 0.008, 0.008, 0.032, 0.008]).wrongRatio == nil)
        #expect(pace([0.008, 0.008, 0.008, -5, 0.008]).wrongRatio == nil)
        #expect(pace([0.008, 0.008]).wrongRatio == nil)
        #expect(pace(Array(repeating: nil, count: 8)).wrongRatio == nil)
    }

    @Test("enough is known after 8 steps and 0.1 s of sound")
    func known() {
        #expect(!pace(Array(repeating: 0.032, count: 7)).isKnown)
        #expect(pace(Array(repeating: 0.032, count: 8)).isKnown)
    }
}

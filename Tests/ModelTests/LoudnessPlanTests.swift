import Testing

@testable import TakeupModel

@Suite("Plans of loudness")
struct LoudnessPlanTests {
    private func plan(_ loudness: Double?, peak: Double, target: Double = -16) -> LoudnessPlan {
        LoudnessPlan(
            target: target, ceiling: -1,
            source: SoundLevels(loudness: loudness, truePeak: peak))
    }

    @Test("one gain leads to the target, and a limiter comes only where peaks need it")
    func gains() {
        // Softer; louder with room; louder with a limiter.
        let cases: [(Double, Double, Double, Double?)] = [
            (-10, 0.5, -6, nil), (-23, -12, 7, nil), (-23, -3, 7, -1),
        ]
        for (loudness, peak, gain, limit) in cases {
            let plan = plan(loudness, peak: peak)
            #expect(abs(plan.gain - gain) < 1e-9 && plan.limit == limit)
        }
        #expect(plan(-23, peak: -12).warning == nil)
        #expect(plan(-23, peak: -3).warning?.code == "loudnessLimited")
        #expect(plan(-23, peak: -3).warning?.message.contains("up to 5.0 dB") == true)
        // Whatever has a loudness may lose some of it in an encoder; peaks alone are raised by little.
        #expect(plan(-23, peak: -40).needsTrial)
        #expect(plan(nil, peak: -3.5).needsTrial && !plan(nil, peak: -4.5).needsTrial)
    }

    @Test("peaks that are lowered by more than 10 dB, and noise, leave the track softer")
    func missed() {
        let peaky = plan(-30, peak: -1)
        #expect(peaky.gain == 10 && peaky.limit == -1)
        #expect(peaky.warning?.code == "loudnessMissed")
        #expect(peaky.warning?.message.contains("-20.0 LUFS instead of -16.0") == true)
        let noise = plan(-65, peak: -55)
        #expect(noise.gain == 40 && noise.limit == nil)
        #expect(noise.warning?.code == "loudnessMissed")
    }

    @Test("silence and very short sound stay as they are, below the ceiling")
    func unmeasured() {
        let silence = plan(nil, peak: -200)
        #expect(silence.source.truePeak == -120)
        #expect(silence.changesNothing && silence.warning?.code == "loudnessUnmeasured")
        let short = plan(nil, peak: 0.5)
        #expect(short.gain == -1.5 && short.limit == nil)
    }

    @Test("what the encoder changes is corrected")
    func corrected() throws {
        let plan = plan(-23, peak: -3)
        let good = SoundLevels(loudness: -16.1, truePeak: -1.2)
        #expect(plan.corrected(after: good) == nil)
        let loud = try #require(
            plan.corrected(after: SoundLevels(loudness: -16, truePeak: -0.4)))
        #expect(loud.gain == plan.gain && abs((loud.limit ?? 0) + 1.7) < 1e-9)
        let soft = try #require(
            plan.corrected(after: SoundLevels(loudness: -16.8, truePeak: -1.1)))
        #expect(abs(soft.gain - 7.8) < 1e-9 && soft.limit == -1)
        // A gain is not raised beyond what the limiter may lower.
        let peaky = LoudnessPlan(
            target: -16, ceiling: -1, source: SoundLevels(loudness: -30, truePeak: -1))
        let weak = peaky.corrected(after: SoundLevels(loudness: -21, truePeak: -1.1))
        #expect(weak == nil)
        #expect(plan.lowered(by: 2).gain == 5)
    }

    @Test("half a unit is close enough, a peak above the ceiling is not")
    func meets() {
        func meets(_ loudness: Double?, _ peak: Double) -> Bool {
            SoundLevels(loudness: loudness, truePeak: peak).meets(target: -16, ceiling: -1)
        }
        #expect(meets(-16.5, -1) && meets(-15.5, -6))
        #expect(!meets(-16.6, -1) && !meets(-16, -0.9) && !meets(nil, -60))
    }

    @Test("numbers have one decimal")
    func text() {
        #expect(LoudnessPlan.text(-16) == "-16.0" && LoudnessPlan.text(-0.04) == "0.0")
        #expect(LoudnessPlan.text(2.25, signed: true) == "+2.3")
        #expect(LoudnessPlan.text(-2.25, signed: true) == "-2.3")
    }
}

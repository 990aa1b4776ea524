import TakeupFFmpeg
import Testing

@Suite("ToneMeter")
struct ToneMeterTests {
    /// Blocks of 1,024 samples of FFmpeg's expression, through a meter.
    private func tones(_ expression: String, above floor: Float = 0) throws -> [Float] {
        let format = AudioFormat(
            sampleRate: 48_000, sampleFormat: .floatPlanar, layout: .standard(1))
        let graph = try FilterGraph(
            audio: format, timeBase: TimeBase(1, 48_000),
            chain: "aeval=\(expression):c=same,aformat=fltp")
        graph.setOutputSamples(ToneMeter.blockLength)
        let meter = try ToneMeter(channels: 1)
        let silence = try Frame.silence(format, samples: 16 * ToneMeter.blockLength)
        silence.ptsTicks = 0
        try graph.send(silence)
        try graph.finish()
        let frame = try Frame()
        var found: [Float] = []
        while try graph.receive(into: frame) {
            found.append(meter.strongestTone(frame, above: floor))
        }
        return found
    }

    @Test(
        "a sine comes to its amplitude, wherever it lies", arguments: [1.0, 0.5],
        [60.0, 1000, 9000])
    func sines(amplitude: Double, frequency: Double) throws {
        let found = try tones("\(amplitude)*sin(2*PI*\(frequency)*t)").dropFirst()
        let most = try #require(found.max())
        #expect(found.count == 15)
        #expect((0.75...1.03).contains(Double(most) / amplitude), "\(most)")
    }

    @Test("noise as loud as a tone has none, and what is too quiet is not looked at")
    func noise() throws {
        #expect(try tones("0.6*(2*random(0)-1)").allSatisfy { $0 < 0.15 })
        #expect(try tones("0").allSatisfy { $0 == 0 })
        #expect(try tones("0.2*sin(2*PI*1000*t)", above: 0.47).allSatisfy { $0 == 0 })
    }
}

import TakeupFFmpeg
import TakeupTimeline
import Testing

@Suite("Frame")
struct FrameTests {
    private static let stereo = AudioFormat(
        sampleRate: 48_000, sampleFormat: .floatPlanar, layout: .standard(2))

    @Test("silence has the format and the length that was asked for")
    func silence() throws {
        let frame = try Frame.silence(Self.stereo, samples: 480)
        #expect(frame.sampleCount == 480 && frame.audioFormat == Self.stereo)
        #expect(frame.ptsTicks == nil)
    }

    @Test("drops samples from the front and from the end")
    func cut() throws {
        let frame = try Frame.silence(Self.stereo, samples: 100)
        try frame.dropFirstSamples(30)
        #expect(frame.sampleCount == 70 && frame.audioFormat == Self.stereo)
        frame.keepFirstSamples(20)
        #expect(frame.sampleCount == 20)
    }

    @Test("a duplicate outlives the first")
    func duplicate() throws {
        let frame = try Frame.silence(Self.stereo, samples: 16)
        frame.ptsTicks = 4
        let copy = try frame.duplicate()
        frame.clear()
        #expect(frame.sampleCount == 0)
        #expect(copy.sampleCount == 16 && copy.ptsTicks == 4)
    }

    @Test("is made ready for an encoder: progressive, square, of no kind yet")
    func prepare() throws {
        let frame = try Frame()
        frame.durationTicks = 9
        frame.prepareForEncoding()
        #expect(!frame.isInterlaced && !frame.isKey && !frame.isDamaged)
        #expect(frame.videoFormat.sampleAspect.doubleValue == 1 && frame.durationTicks == 9)
    }

    @Test("dropping every sample is a mistake of the caller's")
    func dropAll() async {
        await #expect(processExitsWith: .failure) {
            let format = AudioFormat(
                sampleRate: 48_000, sampleFormat: .floatPlanar, layout: .standard(2))
            let frame = try Frame.silence(format, samples: 10)
            try frame.dropFirstSamples(10)
        }
    }
}

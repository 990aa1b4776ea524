import TakeupExport
import TestSupport
import Testing

@Suite("Trait 17: mono, low and high sample rates", .tags(.media))
struct Trait17SampleRateTests {
    /// A source and the rate that comes out.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let rate: Int
        let channels: Int
        let codec: String
        let output: Int
        var testDescription: String { "\(codec) \(rate) Hz in \(name)" }
    }

    static let cases = [
        Case(name: "a.wav", rate: 8000, channels: 1, codec: "pcm_mulaw", output: 24000),
        Case(name: "a.wav", rate: 8000, channels: 1, codec: "pcm_alaw", output: 24000),
        Case(name: "a.wav", rate: 11025, channels: 1, codec: "adpcm_ms", output: 24000),
        Case(name: "a.wav", rate: 22050, channels: 2, codec: "adpcm_ima_wav", output: 22050),
        Case(name: "a.mp3", rate: 44100, channels: 2, codec: "libmp3lame", output: 44100),
        Case(name: "a.webm", rate: 48000, channels: 1, codec: "libopus", output: 48000),
        Case(name: "a.ogg", rate: 44100, channels: 2, codec: "libvorbis", output: 44100),
        Case(name: "a.flac", rate: 96000, channels: 2, codec: "flac", output: 48000),
        Case(name: "a.wav", rate: 192_000, channels: 1, codec: "pcm_s24le", output: 48000),
        Case(name: "a.mkv", rate: 32000, channels: 1, codec: "ac3", output: 32000),
        Case(name: "a.wav", rate: 16000, channels: 2, codec: "pcm_u8", output: 24000),
    ]

    @Test("pitch stays to 1 Hz, length to a packet, mono stays mono", arguments: cases)
    func keepsPitch(_ each: Case) async throws {
        let clip = try Clip.make(
            each.name,
            Clip.tone(frequency: 1000, sampleRate: each.rate, seconds: 1.5)
                + ["-ac", "\(each.channels)", "-c:a", each.codec])
        let made = try await TraitExport(clip, try .named("m4a"))
        try made.expectSound()
        let audio = try made.audio()
        #expect(audio.sampleRate == each.output && audio.channels == each.channels)
        let sound = try Sound(made.path)
        #expect(abs(try sound.pitch() - 1000) <= 1)
        let source = try Sound(clip.path)
        let before = Double(source.channels[0].count) / Double(each.rate)
        let after = Double(sound.channels[0].count) / Double(each.output)
        #expect(abs(after - before) <= 1024 / Double(each.output) + 0.001)
        let level = sound.amplitude(of: 1000, in: 0)
        #expect(abs(decibels(level, over: source.amplitude(of: 1000, in: 0))) < 0.5)
    }

    @Test("two equal channels stay two equal channels")
    func keepsDualMono() async throws {
        let clip = try Clip.make("dual.wav", Clip.tone(seconds: 1) + ["-ac", "2"])
        let made = try await TraitExport(clip, try .named("m4a"))
        let sound = try Sound(made.path)
        #expect(sound.channels.count == 2)
        let apart = zip(sound.channels[0], sound.channels[1]).map { abs($0 - $1) }.max() ?? 1
        #expect(apart < 0.001)
    }

    @Test("an allowed 96 kHz is kept")
    func keepsHighRate() async throws {
        let clip = try Clip.make(
            "high.wav", Clip.tone(frequency: 1000, sampleRate: 96000, seconds: 1))
        var preset = try ExportPreset.named("m4a")
        preset.audio?.maxSampleRate = 96_000
        let made = try await TraitExport(clip, preset)
        try made.expectSound()
        #expect(try made.audio().sampleRate == 96000)
        #expect(abs(try Sound(made.path).pitch() - 1000) <= 1)
    }
}

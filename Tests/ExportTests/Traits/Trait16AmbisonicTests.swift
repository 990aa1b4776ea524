import TakeupExport
import TestSupport
import Testing

@Suite("Trait 16: ambisonic sound", .tags(.media))
struct Trait16AmbisonicTests {
    @Test("is heard from the front by its first channel alone", arguments: [1, 2, 6])
    func mixesOmnidirectional(channels: Int) async throws {
        // W and X carry different tones.
        let clip = try Clip.make(
            "ambisonic.mka",
            Clip.tone(frequency: 440, seconds: 1) + Clip.tone(frequency: 1000, seconds: 1) + [
                "-filter_complex",
                "[0][1]amerge,pan=4c|c0=4*c0|c1=0*c0|c2=0*c0|c3=4*c1", "-c:a", "libopus",
                "-mapping_family", "2", "-b:a", "256k",
            ])
        let source = try MediaTools.probe(clip.path).streams("audio").first
        try #require(source?.channelLayout == "ambisonic 1")
        let made = try await TraitExport(clip, try .sound(channels: channels))
        try made.expectSound()
        #expect(try made.audio().channels == min(channels, 6))
        let sound = try Sound(made.path)
        for channel in 0..<channels {
            let isFront = channel < 3
            #expect((sound.amplitude(of: 440, in: channel) > 0.3) == isFront, "\(channel)")
            #expect(sound.amplitude(of: 1000, in: channel) < 0.02, "\(channel)")
        }
    }
}

import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Sound levels", .tags(.media))
struct SoundLevelTests {
    /// A source of two seconds at 48 kHz: FFmpeg expressions of its channels.
    struct Source: CustomTestStringConvertible, Sendable {
        let name: String
        let channels: [String]
        /// A tone whose level is looked at: its frequency, and where in seconds.
        var tone: (frequency: Double, from: Double)?
        var testDescription: String { name }
    }

    /// A tone that sounds for 0.3 s of each second.
    private static func beeps(_ level: Double, _ frequency: Double) -> String {
        "\(level)*sin(2*PI*\(frequency)*t)*between(mod(t\\,1)\\,0.1\\,0.4)"
    }

    private static let hats = "0.02*(2*random(0)-1)*lt(mod(t\\,0.25)\\,0.03)"

    static let sources = [
        Source(
            name: "beeps", channels: [beeps(0.61, 1000), beeps(0.61, 1000)], tone: (1000, 1.15)),
        Source(name: "loud beep, one channel", channels: [beeps(0.98, 440)], tone: (440, 1.15)),
        Source(name: "high beep", channels: [beeps(0.8, 3000)], tone: (3000, 1.15)),
        Source(
            name: "full-scale tone from the first sample",
            channels: ["sin(2*PI*440*t)", "sin(2*PI*440*t)"], tone: (440, 1)),
        Source(
            name: "two tones from the first sample",
            channels: ["0.6*sin(2*PI*1000*t)", "0.6*sin(2*PI*700*t)"], tone: (1000, 1)),
        Source(
            name: "deep bass below hats",
            channels: ["0.85*sin(2*PI*50*t)+\(hats)", "0.85*sin(2*PI*50*t)+\(hats)"], tone: (50, 1)
        ),
        Source(
            name: "chirps",
            channels: [
                "0.6*sin(2*PI*(500*mod(t\\,1)+8750*pow(mod(t\\,1)\\,2)))*lt(mod(t\\,1)\\,0.2)"
            ]
        ),
        Source(
            name: "flute",
            channels: [
                "0.55*sin(4147*t+1.5*sin(31*t))+0.16*sin(8294*t+3*sin(31*t))+0.002*random(0)"
            ]),
        Source(name: "clicks", channels: ["0.5*lt(mod(t\\,0.25)\\,0.002)"]),
        Source(name: "silence", channels: ["0", "0"]),
        Source(
            name: "six full-scale channels", channels: Array(repeating: "sin(2*PI*440*t)", count: 6)
        ),
    ]

    @Test("are kept within 1 dB by every shipped rate", arguments: sources, [48, 64, 128])
    func keepsPeaks(_ source: Source, kilobits: Int) async throws {
        let layout = [1: "mono", 2: "stereo", 6: "5.1"][source.channels.count] ?? "mono"
        let clip = try Clip.make(
            "level.wav",
            [
                "-f", "lavfi", "-i",
                "aevalsrc=\(source.channels.joined(separator: "|")):c=\(layout):d=2:s=48000",
                "-c:a", "pcm_f32le",
            ])
        var preset = try ExportPreset.sound(channels: 6)
        preset.audio?.bitRatePerChannel = kilobits * 1000
        let made = try await TraitExport(clip, preset)
        try made.expectSound()
        let before = try Sound(clip.path)
        let after = try Sound(made.path)
        #expect(abs(before.channels[0].count - after.channels[0].count) <= 1024)
        if before.peak == 0 { return #expect(after.peak < 0.001) }
        // Clicks are wider than the bands that these rates keep: they may come out lower, but never louder.
        let difference = decibels(after.peak, over: before.peak)
        #expect(difference <= 1, "\(difference) dB")
        guard let tone = source.tone else { return }
        let wanted = before.amplitude(of: tone.frequency, in: 0, from: tone.from)
        let found = after.amplitude(of: tone.frequency, in: 0, from: tone.from)
        #expect(abs(decibels(found, over: wanted)) <= 0.6)
    }

    @Test("a change of the encoder's search is not heard", arguments: [48, 96])
    func changesUnheard(kilobits: Int) async throws {
        // A hum, a strong tone that swells and fades, the hum again.
        let tone = "0.9*sin(2*PI*600*t)*pow(sin(PI*clip((t-0.7)/0.6\\,0\\,1))\\,2)"
        let sound = "0.1*sin(2*PI*200*t)+0.05*sin(2*PI*900*t)+\(tone)"
        let clip = try Clip.make(
            "swell.wav",
            [
                "-f", "lavfi", "-i", "aevalsrc=\(sound)|\(sound):c=stereo:d=2:s=48000", "-c:a",
                "pcm_f32le",
            ])
        var preset = try ExportPreset.sound(channels: 2)
        preset.audio?.bitRatePerChannel = kilobits * 1000
        let made = try await TraitExport(clip, preset)
        try made.expectSound()
        let before = try Sound(clip.path).channels[0]
        let after = try Sound(made.path).channels[0]
        for start in stride(from: 2048, to: before.count - 4096, by: 512) {
            let range = start..<start + 1024
            let error = zip(before[range], after[range]).map { ($0 - $1) * ($0 - $1) }.reduce(0, +)
            let energy = before[range].map { $0 * $0 }.reduce(0, +)
            #expect(error < energy / 100, "from sample \(start): \(error) of \(energy)")
        }
    }
}

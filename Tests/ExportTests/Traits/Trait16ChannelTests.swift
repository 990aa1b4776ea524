import TakeupExport
import TestSupport
import Testing

@Suite("Trait 16: many channels", .tags(.media))
struct Trait16ChannelTests {
    /// A layout, and which of its channels each of the output's 5.1 channels is made of.
    struct Placed: CustomTestStringConvertible, Sendable {
        let layout: String
        let names: [String]
        /// Source channels by their output channel, in order of AAC's 5.1.
        let places: [String: [String]]
        var testDescription: String { layout }
    }

    static let output = ["FL", "FR", "FC", "LFE", "BL", "BR"]
    static let front = ["FL": ["FL"], "FR": ["FR"], "FC": ["FC"], "LFE": ["LFE"]]
    static let placed = [
        Placed(
            layout: "5.1", names: output,
            places: front.merging(["BL": ["BL"], "BR": ["BR"]]) { $1 }),
        Placed(
            layout: "5.1(side)", names: ["FL", "FR", "FC", "LFE", "SL", "SR"],
            places: front.merging(["BL": ["SL"], "BR": ["SR"]]) { $1 }),
        Placed(
            layout: "7.1", names: output + ["SL", "SR"],
            places: front.merging(["BL": ["BL", "SL"], "BR": ["BR", "SR"]]) { $1 }),
        Placed(
            layout: "6.1", names: ["FL", "FR", "FC", "LFE", "BC", "SL", "SR"],
            places: front.merging(["BL": ["SL", "BC"], "BR": ["SR", "BC"]]) { $1 }),
        Placed(
            layout: "quad", names: ["FL", "FR", "BL", "BR"],
            places: ["FL": ["FL"], "FR": ["FR"], "FC": [], "LFE": [], "BL": ["BL"], "BR": ["BR"]]),
    ]

    @Test("each channel's tone stays in its place", arguments: placed)
    func keepsPlaces(_ placed: Placed) async throws {
        let clip = try Self.clip(placed.layout, placed.names)
        let made = try await TraitExport(clip, try .sound(channels: 6))
        try made.expectSound()
        let audio = try made.audio()
        #expect(audio.codec == "aac" && audio.channels == 6 && audio.channelLayout == "5.1")
        let facts = try MediaTools.mediaInfo(made.path).first { $0.type == "Audio" }
        #expect(facts?["ChannelLayout"] == "C L R Ls Rs LFE")
        let sound = try Sound(made.path)
        for (place, name) in Self.output.enumerated() {
            let wanted = placed.places[name] ?? []
            for source in placed.names {
                let level = sound.amplitude(of: Self.tone(source), in: place)
                if wanted.contains(source) {
                    #expect(decibels(level, over: 0.1) > -8, "\(source) in \(name): \(level)")
                } else {
                    #expect(decibels(level, over: 0.1) < -35, "\(source) in \(name): \(level)")
                }
            }
        }
    }

    static let stereo: [(String, [String])] = [
        ("5.1", output), ("5.1(side)", ["FL", "FR", "FC", "LFE", "SL", "SR"]),
        ("7.1", output + ["SL", "SR"]), ("quad", ["FL", "FR", "BL", "BR"]),
    ]

    @Test("mixed down to two by the matrix of ITU-R BS.775, to half a decibel", arguments: stereo)
    func mixesDown(_ layout: String, _ names: [String]) async throws {
        let made = try await TraitExport(try Self.clip(layout, names), try .sound(channels: 2))
        try made.expectSound()
        #expect(try made.audio().channelLayout == "stereo")
        let sound = try Sound(made.path)
        let gains = names.map { [Self.gain($0, side: "L"), Self.gain($0, side: "R")] }
        let total = max(gains.map { $0[0] }.reduce(0, +), gains.map { $0[1] }.reduce(0, +))
        for (name, gain) in zip(names, gains) {
            for side in [0, 1] {
                let level = sound.amplitude(of: Self.tone(name), in: side)
                let wanted = 0.1 * gain[side] / max(1, total)
                if wanted > 0 {
                    #expect(
                        abs(decibels(level, over: wanted)) <= 0.5, "\(name) in \(side): \(level)")
                } else {
                    #expect(decibels(level, over: 0.1) < -40, "\(name) in \(side): \(level)")
                }
            }
        }
    }

    @Test("full scale on all channels does not clip")
    func doesNotClip() async throws {
        let one = "sin(2*PI*440*t)"
        let clip = try Clip.make(
            "loud.wav",
            [
                "-f", "lavfi", "-i",
                "aevalsrc=\(Array(repeating: one, count: 6).joined(separator: "|")):c=5.1:d=1",
            ])
        let made = try await TraitExport(clip, try .sound(channels: 2))
        let sound = try Sound(made.path)
        #expect(abs(decibels(sound.amplitude(of: 440, in: 0), over: 1)) < 0.5)
        #expect(sound.peak < 1.03)
        // Clipping would show as odd harmonics.
        #expect(decibels(sound.amplitude(of: 1320, in: 0), over: 1) < -50)
    }

    @Test("a count without a layout keeps its first channels", arguments: [3, 5])
    func takesUnknownLayouts(_ count: Int) async throws {
        let names = Array(Self.output.prefix(count))
        let tones = names.map { "0.1*sin(2*PI*\(Self.tone($0))*t)" }.joined(separator: "|")
        let clip = try Clip.make(
            "unknown.mkv", ["-f", "lavfi", "-i", "aevalsrc=\(tones):d=1", "-c:a", "pcm_s16le"])
        let made = try await TraitExport(clip, try .sound(channels: 2))
        try made.expectSound()
        let sound = try Sound(made.path)
        #expect(sound.amplitude(of: Self.tone("FL"), in: 0) > 0.02)
        #expect(sound.amplitude(of: Self.tone("FR"), in: 1) > 0.02)
    }

    /// A tone of its own for each loudspeaker; the low one within what AAC keeps there.
    private static func tone(_ name: String) -> Double {
        let order = ["FL", "FR", "FC", "BL", "BR", "SL", "SR", "BC"]
        return name == "LFE" ? 60 : 400 + 250 * Double(order.firstIndex(of: name) ?? 0)
    }

    private static func gain(_ name: String, side: String) -> Double {
        switch name {
        case "F\(side)": 1
        case "FC", "B\(side)", "S\(side)": 0.5.squareRoot()
        default: 0
        }
    }

    private static func clip(_ layout: String, _ names: [String]) throws -> Clip {
        let tones = names.map { "0.1*sin(2*PI*\(tone($0))*t)" }.joined(separator: "|")
        return try Clip.make(
            "channels.wav", ["-f", "lavfi", "-i", "aevalsrc=\(tones):c=\(layout):d=1:s=48000"])
    }
}

import TakeupExport
import TestSupport
import Testing

@Suite("Trait 38: the encoder's delay", .tags(.media))
struct Trait38PrimingTests {
    private static let click = "aevalsrc='0.9*(eq(n,0)+eq(n,47999))':s=48000:d=1"

    private func clicks(_ name: String, _ options: [String]) throws -> Clip {
        try Clip.make(name, ["-f", "lavfi", "-i", Self.click] + options)
    }

    private func loudest(_ values: [Float], in range: Range<Int>) -> Int? {
        let range = range.clamped(to: values.indices)
        return range.max { abs(values[$0]) < abs(values[$1]) }
    }

    private func requireClicks(_ path: String) throws {
        let values = try Samples(path).values
        let first = try #require(loudest(values, in: 0..<2000))
        let last = try #require(loudest(values, in: 46_000..<50_000))
        #expect(first <= 1 && abs(values[first]) > 0.2)
        #expect(abs(last - 47_999) <= 1 && abs(values[last]) > 0.2)
        #expect(abs(values.count - 48_000) <= 1024)
    }

    @Test("a click at the first and at the last sample stays there")
    func keepsClicks() async throws {
        let trial = try ExportTrial()
        let clip = try clicks("click.wav", [])
        let (path, _) = try await trial.export(
            [clip.path], preset: try .named("m4a"), to: "out.m4a")
        try requireClicks(path)
    }

    @Test(
        "and when AAC is made of AAC, or copied",
        arguments: [ExportSettings.CopyPolicy.never, .auto])
    func keepsClicksTwice(copy: ExportSettings.CopyPolicy) async throws {
        let clip = try clicks("click.m4a", ["-c:a", "aac", "-b:a", "128k"])
        try requireClicks(clip.path)
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.copy = copy
        let (path, _) = try await trial.export(
            [clip.path], preset: try .named("m4a"), settings: settings, to: "out.m4a")
        try requireClicks(path)
    }

    @Test("ten clips join without a gap of a millisecond")
    func joinsWithoutGaps() async throws {
        // Half a second is a whole number of waves, and no whole number of packets.
        let clip = try Clip.make(
            "half.m4a", Clip.tone(frequency: 1000, seconds: 0.5) + ["-c:a", "aac", "-b:a", "160k"])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            Array(repeating: clip.path, count: 10), preset: try .named("m4a"), to: "out.m4a")
        let samples = try Samples(path)
        #expect(abs(samples.values.count - 240_000) <= 1024)
        let usual = samples.level(from: 0.1, to: 0.4)
        let quietest = (2..<4998).map {
            samples.level(from: Double($0) / 1000, to: Double($0 + 1) / 1000)
        }.min()
        #expect(try #require(quietest) > usual / 2)
        // In step at the end as at the start: nothing was added or lost on the way.
        #expect(abs(samples.pitch(from: 0.1, to: 4.9) - 1000) < 0.05)
    }

    /// Forty packets of 1,024 samples, and a few samples more or less.
    static let lengths = [40_959, 40_960, 40_961, 40_965, 40_983, 41_000]

    @Test("a last packet of few samples is not cut off", arguments: lengths)
    func keepsShortLastPacket(count: Int) async throws {
        let clip = try Clip.make(
            "some.wav",
            Clip.tone(frequency: 1000, seconds: 1) + ["-af", "atrim=end_sample=\(count)"])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [clip.path], preset: try .named("m4a"), to: "out.m4a")
        let decoded = try Samples(path).values.count
        #expect((count..<count + 1024).contains(decoded))
        let stream = try #require(try MediaTools.probe(path).streams("audio").first)
        #expect(stream.durationTicks == Int64(count))
    }
}

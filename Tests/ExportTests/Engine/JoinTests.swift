import TakeupExport
import TestSupport
import Testing

@Suite("Joins and pairs", .tags(.media))
struct JoinTests {
    private func part(
        size: String, rate: String, first: Int, sound: [String]
    ) throws -> Clip {
        try Clip.make(
            "part.mp4",
            NumberedPictures.source(size: size, rate: rate, seconds: 1, first: first) + sound
                + ["-c:v", "libx264", "-c:a", "aac"])
    }

    @Test("inputs of other sizes, rates and without sound follow one another in time")
    func joinsUnlike() async throws {
        let high = Clip.tone(frequency: 880, sampleRate: 44_100, seconds: 1)
        let parts = [
            try part(size: "320x240", rate: "30", first: 0, sound: high),
            try part(size: "160x120", rate: "25", first: 30, sound: []),
            try part(size: "96x128", rate: "24", first: 55, sound: Clip.tone(seconds: 1)),
        ]
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(parts.map(\.path))
        let stream = try #require(try MediaTools.probe(path).streams("video").first)
        #expect(stream.width == 320 && stream.height == 240)
        #expect(abs((stream.duration ?? 0) - 3) <= 1.0 / 24)
        let shown = try NumberedPictures.shown(in: path)
        // The bars of the narrow part lie beside the black that fills its sides: they are not read.
        let opaque = shown.filter { $0.time < 1.999 }
        #expect(Set(opaque.map(\.number)) == Set(0..<55))
        #expect(zip(opaque, opaque.dropFirst()).allSatisfy { $0.number <= $1.number })
        let second = try #require(shown.first { $0.number == 30 }?.time)
        #expect(abs(second - 1) <= 0.001)
        let samples = try Samples(path)
        #expect(abs(samples.values.count - 144_000) <= 1024)
        #expect(abs(samples.pitch(from: 0.1, to: 0.9) - 880) < 1)
        #expect(samples.level(from: 1.05, to: 1.95) < 0.001)
        #expect(abs(samples.pitch(from: 2.1, to: 2.9) - 440) < 1)
        #expect(abs(try #require(samples.onset(after: 1.5)) - 2) <= 0.005)
    }

    @Test("a range reaches over the seam")
    func cutsAcross() async throws {
        let tone = Clip.tone(seconds: 1)
        let parts = [
            try part(size: "160x120", rate: "30", first: 0, sound: tone),
            try part(size: "160x120", rate: "30", first: 30, sound: tone),
        ]
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 0.5, to: 1.5)
        let (path, _) = try await trial.export(parts.map(\.path), settings: settings)
        #expect(try NumberedPictures.numbers(in: path) == Array(15..<45))
        #expect(abs(try Samples(path).values.count - 48_000) <= 1024)
    }

    @Test(
        "inputs whose last pictures do not say when they are shown lose none",
        arguments: [
            ["-c:v", "mpeg2video", "-bf", "2", "-q:v", "3"], ["-c:v", "libx264", "-bf", "3"],
        ])
    func joinsProgrammes(codec: [String]) async throws {
        let parts = try [0, 30].map { first in
            try Clip.make(
                "part.mpg",
                NumberedPictures.source(rate: "25", seconds: 1.2, first: first)
                    + Clip.tone(seconds: 1.2) + codec + ["-c:a", "mp2", "-f", "vob"])
        }
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(parts.map(\.path))
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<60))
    }

    @Test("pictures of one file and sound of another start together")
    func pairs() async throws {
        let tone = Clip.tone(frequency: 880, seconds: 1)
        let film = try part(size: "160x120", rate: "30", first: 0, sound: tone)
        let sound = try Clip.make("other.wav", Clip.tone(seconds: 1))
        let trial = try ExportTrial()
        let session = ExportSession(
            video: Asset(path: film.path), audio: Asset(path: sound.path),
            preset: try ExportTrial.preset())
        let report = try await session.export(to: trial.file("out.mp4"))
        let file = try MediaTools.probe(report.output)
        #expect(file.streams.map(\.type) == ["video", "audio"])
        #expect(file.streams.allSatisfy { abs($0.start ?? 1) <= 0.001 })
        #expect(try NumberedPictures.numbers(in: report.output) == Array(0..<30))
        #expect(abs(try Samples(report.output).pitch(from: 0.1, to: 0.9) - 440) < 1)
        #expect(try MediaTools.decodeErrors(report.output) == [])
    }
}

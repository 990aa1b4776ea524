import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Exports of pictures with a mix", .tags(.media))
struct MixExportTests {
    @Test("music shorter than the pictures ends in silence, longer music plays over black")
    func lengths() async throws {
        let film = try MixFixture.film()
        for seconds in [1.0, 3.0] {
            let trial = try ExportTrial()
            let music = try MixFixture.tone("music\(Int(seconds)).wav", 1000, seconds, level: 0.1)
            let report = try await MixFixture.export(
                [
                    .init(.all, [film]),
                    .init(.audio, segments: [.init(source: music)], volume: Volume(0.5)),
                ],
                in: trial)
            let shown = try NumberedPictures.shown(in: report.output)
            let black = seconds > 2 ? 25 : 0
            #expect(shown.map(\.number) == Array(1...50) + [Int](repeating: 0, count: black))
            let end = max(2, seconds)
            #expect(abs(report.duration.seconds - end) < 0.03)
            let sound = try Sound(report.output)
            // The last block of AAC is filled up.
            #expect(sound.channels[0].count == (Int(end * 48_000) + 1023) / 1024 * 1024)
            #expect(sound.amplitude(of: 440, in: 0, from: 0.4) > 0.05)
            #expect(abs(sound.amplitude(of: 1000, in: 0, from: 0.4) - 0.05) < 0.005)
            #expect(sound.amplitude(of: 1000, in: 0, from: seconds - 0.25) > 0.03)
            if seconds < 2 { #expect(sound.amplitude(of: 1000, in: 0, from: 1.5) < 0.003) }
            if seconds > 2 { #expect(sound.amplitude(of: 440, in: 0, from: 2.5) < 0.003) }
        }
    }

    @Test("pictures and sound of one source are cut independently and stay in step")
    func independent() async throws {
        let film = try MixFixture.film()
        let trial = try ExportTrial()
        let music = try MixFixture.tone("b.wav", 1000, 2, level: 0.2)
        let report = try await MixFixture.export(
            [
                .init(
                    .video,
                    segments: [MixFixture.part(film, 0, 0.4), MixFixture.part(film, 1.2, 0.6)]),
                .init(
                    .audio,
                    segments: [MixFixture.part(music, 0, 0.5), MixFixture.part(film, 0.5, 0.5)]),
            ], in: trial)
        #expect(try NumberedPictures.numbers(in: report.output) == Array(1...10) + Array(31...45))
        let sound = try Sound(report.output)
        #expect(sound.amplitude(of: 1000, in: 0, from: 0.2) > 0.1)
        #expect(sound.amplitude(of: 440, in: 0, from: 0.2) < 0.01)
        #expect(sound.amplitude(of: 440, in: 0, from: 0.7) > 0.05)
    }

    @Test("the pictures under a mix are copied where they may be, byte for byte")
    func copied() async throws {
        let film = try MixFixture.film()
        let trial = try ExportTrial()
        let report = try await MixFixture.export(
            [
                .init(.all, [film]),
                .init(.audio, [try MixFixture.tone("b.wav", 1000, 2, level: 0.2)]),
            ],
            in: trial, preset: try ExportPreset.named("1920x1080"))
        #expect(
            try MediaTools.frameHashes(report.output, after: ["-map", "0:v"]).map(\.md5)
                == MediaTools.frameHashes(film, after: ["-map", "0:v"]).map(\.md5))
    }

    @Test("a truncated source in any track is found")
    func truncated() async throws {
        let long = try Clip.make(
            "long.mka", Clip.tone(frequency: 700, seconds: 8) + ["-c:a", "flac"])
        let cut = try long.truncated(toBytes: Int(try long.bytes().count / 2), as: "cut.mka")
        let trial = try ExportTrial()
        let request = ExportRequest(
            Composition(tracks: [.init(.all, [try MixFixture.film()]), .init(.audio, [cut.path])]),
            preset: try ExportTrial.preset())
        let error = await #expect(throws: ExportError.self) {
            _ = try await ExportSession(request).export(to: trial.file("out.mp4"))
        }
        guard case .sourceIncomplete? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try trial.names() == [])
    }

    @Test("a cancel at any moment leaves nothing")
    func cancel() async throws {
        let film = try MixFixture.film("long.mp4", seconds: 8)
        let tracks: [Composition.Track] =
            [.init(.all, [film])]
            + (0..<4).map { _ in .init(.audio, segments: [.init(source: film)], volume: Volume(0.2))
            }
        var cancelled = 0
        for delay in [0, 5, 20, 60, 120, 200] {
            let trial = try ExportTrial()
            let session = try ExportSession(
                ExportRequest(Composition(tracks: tracks), preset: try ExportTrial.preset()))
            let output = trial.file("out.mp4")
            let task = Task { try await session.export(to: output) }
            try await Task.sleep(for: .milliseconds(delay))
            session.cancel()
            if case .failure(let error) = await task.result {
                #expect(error as? ExportError == .cancelled)
                #expect(try trial.names() == [])
                cancelled += 1
            }
        }
        #expect(cancelled > 0)
    }
}

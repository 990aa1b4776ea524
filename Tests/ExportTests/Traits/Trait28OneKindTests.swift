import TakeupExport
import TestSupport
import Testing

@Suite("Trait 28: sound alone, pictures alone", .tags(.media))
struct Trait28OneKindTests {
    /// The fractions that a watcher sees, in order.
    private func fractions(
        _ path: String, preset: ExportPreset, to output: String
    ) async throws -> [Double] {
        let session = ExportSession(asset: Asset(path: path), preset: preset)
        let states = session.states(updateInterval: .zero)
        async let report = session.export(to: output)
        var seen: [Double] = []
        for await state in states {
            if case .exporting(let progress) = state { seen.append(progress.fraction) }
        }
        _ = try await report
        return seen
    }

    private func requireWholeProgress(_ seen: [Double]) {
        #expect(seen.last == 1)
        #expect(seen == seen.sorted())
        #expect(seen.allSatisfy { (0...1).contains($0) })
        #expect(Set(seen).count > 2)
    }

    @Test("sound alone becomes sound alone", arguments: ["medium", "m4a"])
    func takesSound(name: String) async throws {
        let clip = try Clip.make("tone.wav", Clip.tone(seconds: 2))
        let trial = try ExportTrial()
        let out = trial.file("out.m4a")
        let seen = try await fractions(clip.path, preset: try ExportTrial.preset(name), to: out)
        requireWholeProgress(seen)
        let file = try MediaTools.probe(out)
        #expect(file.streams.map(\.type) == ["audio"])
        #expect(try MediaTools.decodeErrors(out).isEmpty)
        let samples = try Samples(out)
        #expect(abs(samples.values.count - 96_000) <= 1024)
        #expect(abs(samples.pitch(from: 0.2, to: 1.8) - 440) < 1)
    }

    @Test("pictures alone get no invented sound")
    func takesPictures() async throws {
        let clip = try Clip.make(
            "silent.mkv", NumberedPictures.source(seconds: 2) + ["-c:v", "ffv1"])
        let trial = try ExportTrial()
        let out = trial.file("out.mp4")
        let seen = try await fractions(clip.path, preset: try ExportTrial.preset(), to: out)
        requireWholeProgress(seen)
        #expect(try MediaTools.probe(out).streams.map(\.type) == ["video"])
        #expect(try NumberedPictures.numbers(in: out) == Array(0..<60))
        #expect(try MediaTools.decodeErrors(out).isEmpty)
    }

    @Test("pictures alone are refused where sound is all that was asked for")
    func refusesPicturesForSound() async throws {
        let clip = try Clip.make(
            "silent.mkv", NumberedPictures.source(seconds: 2) + ["-c:v", "ffv1"])
        let trial = try ExportTrial()
        let error = try await trial.refusal([clip.path], preset: try .named("m4a"))
        guard case .unsupported = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "what is missing is named, whether the preset or the output's name wants nothing else",
        arguments: [("m4a", "out.m4a"), ("m4a", "out.mp4"), ("passthrough", "out.m4a")])
    func namesWhatIsMissing(name: String, output: String) async throws {
        let clip = try Clip.make(
            "silent.mkv",
            Clip.picture(size: "160x96", seconds: 1) + ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
        let preset = try ExportPreset.named(name).writing(to: output)
        let error = try await ExportTrial().refusal([clip.path], preset: preset)
        guard case .unsupported(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let holder = output.hasSuffix("m4a") ? "an M4A holds" : "the preset m4a keeps"
        #expect(reason == "it has no sound, and \(holder) nothing else")
    }
}

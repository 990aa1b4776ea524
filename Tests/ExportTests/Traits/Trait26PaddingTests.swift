import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

/// Zeros behind media that tell themselves that nothing is missing.
@Suite("Trait 26: zeros behind whole media", .tags(.media))
struct Trait26PaddingTests {
    struct Form: CustomTestStringConvertible, Sendable {
        let name: String
        let arguments: [String]
        let preset: String
        var testDescription: String { name }
    }

    static let forms = [
        Form(name: "whole.flac", arguments: Clip.tone(seconds: 3), preset: "m4a"),
        Form(
            name: "whole.mp3", arguments: Clip.tone(seconds: 3) + ["-c:a", "libmp3lame"],
            preset: "m4a"),
        Form(
            name: "mono.mp3",
            arguments: Clip.tone(seconds: 3) + ["-c:a", "libmp3lame", "-ac", "1", "-ar", "22050"],
            preset: "m4a"),
        Form(
            name: "whole.jpg",
            arguments: Clip.picture(size: "320x240", rate: "1", seconds: 1)
                + ["-frames:v", "1", "-f", "mjpeg"],
            preset: "medium"),
    ]

    private func whole(_ form: Form) throws -> Clip { try Clip.make(form.name, form.arguments) }

    private func padded(_ clip: Clip, _ name: String) throws -> Clip {
        try clip.edited(name, recipe: "70,000 zeros") { $0 += Data(count: 70_000) }
    }

    private func isRefused(_ clip: Clip, _ preset: String) async throws -> Bool {
        let error = try await ExportTrial().refusal([clip.path], preset: .named(preset))
        guard case .sourceIncomplete? = error else { return false }
        return true
    }

    @Test("they are no loss", arguments: forms)
    func padding(form: Form) async throws {
        let trial = try ExportTrial()
        var lengths: [Double] = []
        for clip in [try whole(form), try padded(whole(form), form.name)] {
            let session = ExportSession(
                asset: Asset(path: clip.path), preset: try .named(form.preset))
            let report = try await session.export(to: trial.file("out\(lengths.count).mp4"))
            #expect(report.loss == nil)
            lengths.append(report.duration.seconds)
        }
        #expect(abs(lengths[1] - lengths[0]) < 0.06)
    }

    @Test("they are one behind media of which a part is missing", arguments: forms)
    func cut(form: Form) async throws {
        let clip = try whole(form)
        let cut = try clip.truncated(
            toBytes: try clip.bytes().count * 9 / 10, as: "cut." + form.name)
        #expect(try await isRefused(padded(cut, form.name), form.preset))
    }

    @Test("they are one behind FLAC that does not tell its length, and behind several pictures")
    func untold() async throws {
        let sound = try whole(Self.forms[0]).edited("untold.flac", recipe: "no count") { bytes in
            bytes[21] &= 0xF0
            bytes.resetBytes(in: 22..<26)
        }
        #expect(try await isRefused(padded(sound, "untold.flac"), "m4a"))
        let pictures = try Clip.make(
            "several.mjpeg",
            Clip.picture(size: "320x240", rate: "25", seconds: 0.4) + ["-c:v", "mjpeg"])
        #expect(try await isRefused(padded(pictures, "several.mjpeg"), "medium"))
    }
}

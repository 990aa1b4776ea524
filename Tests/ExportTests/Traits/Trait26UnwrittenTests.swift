import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

/// An upload that reserved its space first, and then stopped or left out a part.
@Suite("Trait 26: files with parts that were never written", .tags(.media))
struct Trait26UnwrittenTests {
    private static let seconds = 12.0
    /// What is missing is known only roughly where bytes are not spread evenly.
    private static let slack = 0.7

    struct Form: CustomTestStringConvertible, Sendable {
        let name: String
        let options: [String]
        var testDescription: String { name }

        var isSound: Bool { ["aac", "ac3", "flac", "wma"].contains(ending) }
        private var ending: String { name.split(separator: ".").last.map(String.init) ?? "" }
    }

    private static let even =
        ["-c:v", "mpeg2video", "-b:v", "1M", "-minrate", "1M", "-maxrate", "1M"]
        + ["-bufsize", "200k"]

    static let forms = [
        Form(name: "w.wmv", options: ["-c:v", "wmv2", "-b:v", "600k", "-c:a", "wmav2"]),
        Form(name: "w.wma", options: ["-c:a", "wmav2"]),
        Form(name: "w.avi", options: ["-c:v", "mpeg4", "-b:v", "600k", "-c:a", "pcm_s16le"]),
        Form(name: "w.ts", options: even + ["-c:a", "mp2"]),
        Form(name: "w.mpg", options: even + ["-c:a", "mp2"]),
        Form(name: "w.mxf", options: even + ["-c:a", "pcm_s16le"]),
        Form(name: "w.h264", options: ["-c:v", "libx264", "-preset", "ultrafast", "-an"]),
        Form(name: "w.aac", options: ["-c:a", "aac", "-b:a", "320k"]),
        Form(name: "w.ac3", options: ["-c:a", "ac3", "-b:a", "320k"]),
        Form(name: "w.flac", options: []),
        Form(name: "w.mjpeg", options: ["-c:v", "mjpeg", "-q:v", "1", "-s", "1280x960"]),
    ]

    private func whole(_ form: Form) throws -> Clip {
        let sound = [
            "-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.3:seed=3:duration=\(Self.seconds)", "-ac",
            "2",
        ]
        let picture = Clip.picture(size: "320x240", rate: "25", seconds: Self.seconds)
        return try Clip.make(form.name, (form.isSound ? [] : picture) + sound + form.options)
    }

    private func settings(_ form: Form) throws -> ExportPreset {
        try ExportTrial.preset(form.isSound ? "m4a" : "medium")
    }

    @Test("a hole is a loss of its length, though what is left decodes", arguments: forms)
    func hole(form: Form) async throws {
        let clip = try whole(form).edited(form.name, recipe: "zeros from 50 to 75 %") { bytes in
            bytes.resetBytes(in: bytes.count / 2..<bytes.count * 3 / 4)
        }
        try await expect(clip, form, lost: Self.seconds / 4)
    }

    @Test("a tail is a loss of its length", arguments: forms)
    func tail(form: Form) async throws {
        let clip = try whole(form).edited(form.name, recipe: "zeros from 70 %") { bytes in
            bytes.resetBytes(in: bytes.count * 7 / 10..<bytes.count)
        }
        try await expect(clip, form, lost: Self.seconds * 0.3)
    }

    private func expect(_ clip: Clip, _ form: Form, lost: Double) async throws {
        let trial = try ExportTrial()
        let error = try await trial.refusal([clip.path], preset: settings(form))
        guard case .sourceIncomplete(_, let loss)? = error else {
            Issue.record("\(form.name): \(String(describing: error))")
            return
        }
        #expect(abs(loss.lostSeconds.seconds - lost) < Self.slack, "\(form.name): \(loss)")
    }

    @Test("a whole one is no loss, with padding behind it too", arguments: forms)
    func whole(form: Form) async throws {
        let clip = try whole(form)
        let padded = try clip.edited(form.name, recipe: "5000 zeros more") {
            $0.append(Data(count: 5000))
        }
        for path in [clip.path, padded.path] {
            let trial = try ExportTrial()
            let session = ExportSession(asset: Asset(path: path), preset: try settings(form))
            let name = form.isSound ? "out.m4a" : "out.mp4"
            let report = try await session.export(to: trial.file(name))
            #expect(report.loss == nil)
            #expect(
                abs((try MediaTools.probe(report.output).format.duration ?? 0) - Self.seconds) < 0.2
            )
        }
    }
}

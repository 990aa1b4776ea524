import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 26: truncated files", .tags(.media))
struct Trait26TruncatedTests {
    /// A container and the options that make FFmpeg write it in this form.
    struct Form: CustomTestStringConvertible, Sendable {
        let name: String
        let options: [String]
        var testDescription: String { name }
    }

    static let forms = [
        Form(name: "first.mp4", options: ["-movflags", "+faststart"]),
        Form(
            name: "fragmented.mp4",
            options: ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-g", "15"]),
        Form(name: "film.mkv", options: []),
        Form(name: "film.avi", options: ["-bf", "0"]),
    ]

    private func whole(_ form: Form) throws -> Clip {
        try Clip.make(
            form.name,
            Clip.picture(size: "160x96", seconds: 2) + Clip.tone(seconds: 2)
                + ["-c:v", "libx264", "-c:a", "aac"] + form.options)
    }

    private func cut(_ form: Form) throws -> Clip {
        let whole = try whole(form)
        return try whole.truncated(toBytes: try whole.bytes().count * 6 / 10 | 1, as: form.name)
    }

    @Test("the whole file exports without a word of loss", arguments: forms)
    func takesWhole(form: Form) async throws {
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([try whole(form).path])
        #expect(report.loss == nil)
        #expect(try MediaTools.frameCount(path) == 60)
    }

    @Test("fails with what is missing, and leaves nothing", arguments: forms)
    func fails(form: Form) async throws {
        let trial = try ExportTrial()
        let error = try await trial.refusal([try cut(form).path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(loss.isTruncated && !loss.details.isEmpty)
    }

    @Test("salvages what is there and says what was lost", arguments: forms)
    func salvages(form: Form) async throws {
        let cut = try cut(form)
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(onTruncated: .salvage)
        let (path, report) = try await trial.export([cut.path], settings: settings)
        let loss = try #require(report.loss)
        #expect(report.warnings.contains { $0.code == "lossSalvaged" })
        // What FFmpeg itself decodes of the same bytes is the most that can be had.
        let possible = try MediaTools.frameCount(cut.path)
        let count = try MediaTools.frameCount(path)
        #expect(possible - count <= 1 && count <= possible && count < 60)
        if form.name == "first.mp4" {
            #expect(abs(loss.lostSeconds.seconds - Double(60 - count) / 30) < 0.1)
        }
    }

    @Test(
        "without an index nothing can be salvaged",
        arguments: [ExportSettings.OnTruncated.fail, .salvage])
    func refusesWithoutIndex(policy: ExportSettings.OnTruncated) async throws {
        let whole = try whole(Form(name: "last.mp4", options: []))
        let cut = try whole.truncated(toBytes: try whole.bytes().count / 2, as: "last.mp4")
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(onTruncated: policy)
        let error = try await trial.refusal([cut.path], settings: settings)
        guard case .notMedia(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("cut short"))
    }
}

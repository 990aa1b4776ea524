import TakeupExport
import TestSupport
import Testing

@Suite("Trait 34: encrypted media", .tags(.media))
struct Trait34EncryptedTests {
    private func clip(fragmented: Bool) throws -> Clip {
        let key = ["-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
        let kid = ["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8"]
        let form = fragmented ? ["-movflags", "+frag_keyframe+empty_moov"] : []
        return try Clip.make(
            "secret.mp4",
            ["-i", try Clip.base().path, "-c", "copy", "-encryption_scheme", "cenc-aes-ctr"]
                + key + kid + form)
    }

    @Test("refused as protected, and nothing is written", arguments: [false, true])
    func refuses(fragmented: Bool) async throws {
        let clip = try clip(fragmented: fragmented)
        let trial = try ExportTrial()
        let error = try await trial.refusal([clip.path])
        guard case .contentIsProtected = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let description = try await Asset(path: clip.path).inspect()
        #expect(description.hasProtectedContent && !description.isExportable)
    }

    @Test("the command says so in less than a second")
    func refusesSoon() async throws {
        let trial = try ExportTrial()
        let clip = try clip(fragmented: false)
        let takeup = try BuiltProduct.path(of: "takeup")
        // The fastest of three: others use the machine too.
        let outcomes = try (0..<3).map { _ in
            try Subprocess.run(takeup, ["export", clip.path, "-o", trial.file("out.mp4")])
        }
        #expect(outcomes.allSatisfy { $0.exitCode == 65 && $0.errorText.contains("encrypted") })
        #expect(try #require(outcomes.map(\.seconds).min()) < 1)
        #expect(try trial.names().isEmpty)
    }

    @Test("refused even where nothing would be decoded")
    func refusesPassthrough() async throws {
        let trial = try ExportTrial()
        let error = try await trial.refusal(
            [try clip(fragmented: false).path], preset: try .named("passthrough"))
        guard case .contentIsProtected = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

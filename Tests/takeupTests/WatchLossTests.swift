@testable import TakeupIngest
import TakeupJobs
import TakeupWatch
import Testing

@testable import takeup

@Suite("What an output lacks of a watched source")
struct WatchLossTests {
    private func result(_ codes: String...) -> JobResult {
        var result = JobResult(output: "/out/a.mp4", key: "k", bytes: 1, sha256: "00")
        result.warnings = codes.map { JobResult.Warning(code: $0, message: "told \($0)") }
        return result
    }

    @Test(
        "keeps the source, whatever it is to make way for",
        arguments: [
            "trackUndecodable", "subtitleDropped", "lossSalvaged", "cutPacket", "endLeftOut",
            "sourceHole",
        ])
    func kept(code: String) {
        for kind in [SourceAction.Kind.delete, .trash, .replace] {
            #expect(WatchedFolder.loss(result("toneMapped", code), for: kind) == "told \(code)")
        }
        #expect(WatchedFolder.loss(result(code), for: .move) == nil)
        #expect(WatchedFolder.loss(result("toneMapped"), for: .delete) == nil)
    }
}

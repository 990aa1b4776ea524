import Foundation
import TakeupJobs
import TakeupModel
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Kinds of source")
struct SourceKindTests {
    @Test("a folder and a pipe fail at once, and are named as what they are")
    func kinds() async throws {
        let trial = try WorkerTrial()
        let pipe = trial.directory.file("pipe.mov")
        #expect(mkfifo(pipe, 0o600) == 0)
        _ = try trial.store.submit([
            try trial.spec("folder", [trial.directory.path]), try trial.spec("pipe", [pipe]),
        ])
        let jobs = try await trial.run(["folder", "pipe"], on: try trial.worker())
        for (id, words) in [
            ("folder", "is a folder, not a media file"), ("pipe", "it is not a regular file"),
        ] {
            let job = try #require(jobs[id])
            #expect(job.state == .failed)
            #expect(job.machine.failures == 1)
            #expect(job.fault?.exitCode == .notMedia)
            #expect(job.fault?.message.contains(words) == true)
        }
    }
}

import Foundation
import TakeupJobs
import TakeupModel
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Linked sources")
struct LinkedSourceTests {
    @Test("a job that follows no links finds nothing behind one; every other job does")
    func links() async throws {
        let trial = try WorkerTrial()
        let top = try #require(realpath(trial.directory.path, nil))
        defer { free(top) }
        let folder = String(cString: top)
        try trial.directory.write(try Clip.base(seconds: 1).bytes(), to: "secret/clip.mov")
        #expect(symlink("\(folder)/secret", "\(folder)/in") == 0)
        #expect(symlink("\(folder)/secret/clip.mov", "\(folder)/clip.mov") == 0)
        var specs: [JobSpec] = []
        for (id, path, followsLinks) in [
            ("folder", "in/clip.mov", false), ("file", "clip.mov", false),
            ("plain", "secret/clip.mov", false), ("usual", "in/clip.mov", true),
        ] as [(String, String, Bool)] {
            var spec = try trial.spec(id, ["\(folder)/\(path)"])
            spec.followsLinks = followsLinks
            specs.append(spec)
        }
        _ = try trial.store.submit(specs)
        let jobs = try await trial.run(specs.map(\.id.rawValue))
        for id in ["folder", "file"] {
            #expect(jobs[id]?.state == .failed && jobs[id]?.fault?.code == "inputMissing")
        }
        for id in ["plain", "usual"] {
            #expect([.succeeded, .cached].contains(try #require(jobs[id]).state))
        }
    }
}

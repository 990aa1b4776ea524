import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("What is stored, and an origin that is gone")
struct FreshnessTests {
    private let content = LoaderTrial.content(300_000)

    /// Fetches everything, ends the session, and stops the origin.
    private func complete(_ trial: borrowing LoaderTrial) throws {
        trial.origin.serve("/a.mp4", OriginObject(content))
        try trial.loader().waitUntilComplete()
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        trial.origin.stop()
    }

    @Test("is given without a question as long as it is fresh")
    func isFresh() throws {
        let trial = try LoaderTrial()
        try complete(trial)
        let loader = try trial.another().loader(for: trial.origin.url("/a.mp4"))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(loader.log.originRequests == 0)
        #expect(loader.log.savedBytes == 300_000)
    }

    @Test("is not given unasked, and stays for when the origin is there again")
    func isAskedAbout() throws {
        let trial = try LoaderTrial { $0.freshSeconds = 0 }
        try complete(trial)
        let loader = try trial.another { $0.freshSeconds = 0 }
            .loader(for: trial.origin.url("/a.mp4"))
        let error = #expect(throws: FetchError.self) { try loader.reader().some(1, at: 0) }
        #expect(error?.name == "unreachable")
        #expect(loader.status.presentBytes == 300_000)
    }
}

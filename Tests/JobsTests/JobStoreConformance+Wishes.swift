import Foundation
import TakeupJobs
import TakeupModel
import TestSupport
import Testing

extension JobStoreConformance {
    @Test("starts nothing before the time that its user gave", arguments: StoreKind.allCases)
    func notBefore(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        var spec = StoreTrial.spec("a", priority: 9)
        spec.notBefore = trial.clock.now + 3600
        #expect(try trial.store.submit([spec]) == [.accepted])
        #expect(try trial.state("a") == .scheduled)
        #expect(try trial.store.secondsToNext() == 3600)
        // A clock that was ahead has nothing to do with it.
        trial.clock.now -= 1800
        #expect(try trial.store.settleClock() == 0)
        trial.clock.now += 5399
        #expect(try trial.claim() == nil)
        trial.clock.now += 1
        let lease = try #require(try trial.claim())
        _ = try trial.store.finish(lease, .returned(note: nil, delaySeconds: 0))
        #expect(try trial.state("a") == .queued)
        var later = spec
        (later.notBefore, later.timeoutSeconds) = (nil, 5)
        #expect(try trial.store.submit([later]) == [.duplicate(.queued)])
        #expect(later.distinctID == spec.distinctID)
    }

    @Test(
        "knows what the sources were when the job was last asked for", arguments: StoreKind.allCases
    )
    func sourceMarks(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let path = trial.folder.file("a.mov")
        try Data("one".utf8).write(to: URL(fileURLWithPath: path))
        var spec = StoreTrial.spec("a", source: path)
        spec.request.composition = Composition(
            joining: [path, "/none.mov", "https://example.com/a.mov"])
        _ = try trial.store.submit([spec])
        let first = try trial.record("a").sourceMarks
        #expect(first.map { $0?.bytes } == [3, nil, nil])
        try Data("other".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try trial.record("a").sourceMarks == first)
        #expect(try trial.store.submit([spec]) == [.duplicate(.queued)])
        #expect(try trial.record("a").sourceMarks.map { $0?.bytes } == [5, nil, nil])
        _ = try trial.store.cancel(spec.id)
        _ = try trial.store.retry(spec.id)
        #expect(try trial.record("a").sourceMarks.isEmpty)
    }

    @Test("does a job after all whose cancel is taken back", arguments: StoreKind.allCases)
    func takenBack(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        for id in ["seen", "unseen"] { _ = try trial.store.submit([StoreTrial.spec(id)]) }
        let leases = try [#require(try trial.claim()), #require(try trial.claim())]
        for lease in leases {
            #expect(try trial.store.retry(lease.job) == .ignore)
            #expect(try trial.store.cancel(lease.job) == .stopWorker)
            #expect(try trial.store.retry(lease.job) == .letWorkerGoOn)
            #expect(try trial.record(lease.job.rawValue).isUnderWay)
        }
        // One worker had seen the cancel, the other never did.
        #expect(try trial.store.finish(leases[0], .cancelled) == .queued)
        #expect(
            try trial.store.finish(leases[1], .failed(StoreTrial.fault, retryable: false))
                == .failed)
        #expect(try #require(try trial.claim()).job == leases[0].job)
    }
}

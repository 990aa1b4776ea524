import TakeupJobs
import TakeupModel
import TakeupTimeline
import Testing

extension JobStoreConformance {
    @Test("takes a live job once, whatever its priority", arguments: StoreKind.allCases)
    func duplicates(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let same = StoreTrial.spec("a")
        let urgent = StoreTrial.spec("a", priority: 9, retries: 0)
        let different = StoreTrial.spec("a", source: "/in/b.mov")
        let answers = try trial.store.submit([same, same, urgent, different])
        #expect(answers == [.accepted, .duplicate(.queued), .duplicate(.queued), .conflict])
        #expect(try trial.record("a").spec == same)
        let lease = try #require(try trial.claim())
        #expect(try trial.store.submit([same, different]) == [.duplicate(.running), .conflict])
        _ = try trial.store.finish(lease, .returned(note: nil, delaySeconds: 9))
        #expect(try trial.store.submit([same, different]) == [.duplicate(.scheduled), .conflict])
        #expect(try trial.store.counts() == [.scheduled: 1])
    }

    @Test("refuses what no queue takes, and takes the rest", arguments: StoreKind.allCases)
    func refusals(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let bad = StoreTrial.spec("a/b")
        let fault = try #require(bad.fault)
        let answers = try trial.store.submit([bad, StoreTrial.spec("b")])
        #expect(answers == [.refused(fault), .accepted])
        #expect(try trial.store.counts() == [.queued: 1])
    }

    @Test("tells sources apart that differ in their Unicode form", arguments: StoreKind.allCases)
    func unicodeForms(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let composed = StoreTrial.spec("a", source: "/in/\u{e9}.mov")
        let decomposed = StoreTrial.spec("a", source: "/in/e\u{301}.mov")
        #expect(try trial.store.submit([composed, decomposed]) == [.accepted, .conflict])
    }

    @Test("takes a job again after its end", arguments: StoreKind.allCases)
    func again(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let lease = try trial.running("a")
        #expect(try trial.store.announce(lease, StoreTrial.publication))
        _ = try trial.store.finish(lease, .succeeded(StoreTrial.result))
        trial.clock.now += 5
        let urgent = StoreTrial.spec("a", priority: 9, retries: 0)
        #expect(try trial.store.submit([urgent]) == [.again])
        let record = try trial.record("a")
        #expect(record.spec == urgent && record.machine == JobStateMachine(retries: 0))
        #expect(record.createdAt == trial.clock.now && record.finishedAt == nil)
        #expect(record.publication == nil)
        let second = try #require(try trial.claim())
        #expect(second.token > lease.token)
        _ = try trial.store.finish(second, .failed(StoreTrial.fault, retryable: false))
        #expect(try trial.store.submit([urgent]) == [.accepted])
        #expect(try trial.record("a").fault == nil)
    }

    @Test("forgets what another work of the same name made", arguments: StoreKind.allCases)
    func otherWork(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let lease = try trial.running("a")
        #expect(try trial.store.announce(lease, StoreTrial.publication))
        _ = try trial.store.finish(lease, .succeeded(StoreTrial.result))
        let different = StoreTrial.spec("a", source: "/in/b.mov")
        #expect(try trial.store.submit([different]) == [.accepted])
        let record = try trial.record("a")
        #expect(record.spec == different)
        #expect(record.result == nil && record.publication == nil && record.workKey == nil)
    }

    @Test("shows no result of a job that was cancelled", arguments: StoreKind.allCases)
    func cancelledAgain(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let lease = try trial.running("a")
        _ = try trial.store.finish(lease, .succeeded(StoreTrial.result))
        #expect(try trial.store.retry(lease.job) == .requeue)
        #expect(try trial.store.cancel(lease.job) == .giveUp)
        #expect(try trial.record("a").result == nil)
    }

    @Test("keeps every field of a spec", arguments: StoreKind.allCases)
    func fields(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        var spec = StoreTrial.spec("a", priority: -1000, retries: 100)
        spec.request.composition = Composition(
            video: "/in/a.mov", audio: "https://example.com/b?c=d&e=\"f\"")
        spec.request.output = "/out/ü.mp4"
        var settings = ExportSettings()
        settings.timeRange = TimeRange(
            start: MediaTime(value: 1001, timescale: 30_000),
            duration: MediaTime(value: 1, timescale: 3))
        (settings.overwrite, settings.onTruncated) = (.unique, .salvage)
        (settings.verification, settings.copy) = (.full, .never)
        settings.metadata = ["title": "a\nb", "artist": "ö"]
        settings.stripsMetadata = true
        settings.fileLengthLimit = .max
        spec.request.settings = settings
        (spec.expiresSeconds, spec.notBefore, spec.timeoutSeconds) = (0.1, 7, 0.5)
        (spec.followsLinks, spec.onReplaced, spec.attributes) = (false, .accept, .source)
        #expect(try trial.store.submit([spec]) == [.accepted])
        #expect(try trial.record("a").spec == spec)
        #expect(try trial.again().submit([spec]) == [.duplicate(.queued)])
    }
}

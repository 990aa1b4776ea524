import TakeupJobs
import Testing

extension JobStoreConformance {
    @Test("gives back a job whose lease ran out, once", arguments: StoreKind.allCases)
    func expiry(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let first = try trial.running("a", retries: 0)
        trial.clock.now += StoreTrial.lease - 1
        #expect(try trial.store.rescue(deadWorkers: []) == [])
        #expect(try trial.store.renew([Heartbeat(first)], leaseSeconds: 30) == [.kept])
        trial.clock.now += StoreTrial.lease - 1
        #expect(try trial.store.rescue(deadWorkers: []) == [])
        trial.clock.now += 1
        #expect(try trial.claim() == nil)
        #expect(try trial.store.rescue(deadWorkers: []).map(\.lease.job) == [first.job])
        #expect(try trial.store.rescue(deadWorkers: []) == [])
        let record = try trial.record("a")
        #expect(record.state == .queued && record.owner == nil && record.leaseUntil == nil)
        #expect(record.machine.interruptions == 1 && record.machine.failures == 0)
        let second = try #require(try trial.claim("w2"))
        #expect(second.token > first.token && second.worker.rawValue == "w2")
    }

    @Test("tells of a claimed job what the store keeps of it", arguments: StoreKind.allCases)
    func claimed(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let first = try trial.running("a")
        #expect(try trial.store.begin(first, workKey: "k") == .admitted)
        #expect(try trial.store.announce(first, StoreTrial.publication))
        let progress = JobProgress(phase: "encode", fraction: 0.5)
        let beat = Heartbeat(first, progress: progress)
        #expect(try trial.store.renew([beat], leaseSeconds: 30) == [.kept])
        let outcome = JobOutcome.failed(StoreTrial.fault, retryable: true)
        #expect(try trial.store.finish(first, outcome) == .scheduled)
        trial.clock.now += 10_000
        let claim = try trial.store.claim(
            by: WorkerID(rawValue: "w2"), leaseSeconds: StoreTrial.lease)
        let (lease, record) = try #require(claim)
        #expect(try trial.record("a") == record)
        #expect(record.token == lease.token && record.state == .running)
        #expect(record.fault == StoreTrial.fault && record.publication == StoreTrial.publication)
    }

    @Test("gives back the jobs of dead workers at once, no others", arguments: StoreKind.allCases)
    func deadWorkers(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        #expect(try trial.store.leaseholders() == [])
        for (id, worker) in [("a", "w2"), ("b", "w1"), ("c", "w2"), ("d", "w3")] {
            _ = try trial.running(id, worker: worker)
        }
        #expect(try trial.store.leaseholders().map(\.rawValue) == ["w1", "w2", "w3"])
        let dead = ["w2", "w3", "unknown"].map { WorkerID(rawValue: $0) }
        let rescued = try trial.store.rescue(deadWorkers: dead).map(\.lease.job.rawValue)
        #expect(rescued.sorted() == ["a", "c", "d"])
        #expect(try trial.store.leaseholders().map(\.rawValue) == ["w1"])
        #expect(try trial.state("b") == .running)
    }

    @Test("refuses every write of a lease that is lost", arguments: StoreKind.allCases)
    func lateWrites(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let late = try trial.running("a")
        _ = try trial.store.rescue(deadWorkers: [late.worker])
        try refusesAll(trial, late)
        let present = try #require(try trial.claim())
        // The worker is the same: only the token tells the two apart.
        #expect(present.worker == late.worker && present.token > late.token)
        #expect(try trial.store.begin(present, workKey: "k") == .admitted)
        try refusesAll(trial, late)
        // Another job does the same work; still the answer is that the lease is lost.
        try trial.add("b")
        let other = try #require(try trial.claim())
        #expect(try trial.store.begin(other, workKey: "late") == .admitted)
        try refusesAll(trial, late)
        #expect(try trial.store.finish(present, .succeeded(StoreTrial.result)) == .succeeded)
        try refusesAll(trial, late)
        try refusesAll(trial, present)
        #expect(try trial.store.retry(present.job) == .requeue)
        try refusesAll(trial, present)
    }

    private func refusesAll(_ trial: borrowing StoreTrial, _ lease: Lease) throws {
        let store = trial.store
        let before = try store.jobs(JobFilter())
        trial.clock.now += 1
        let beat = Heartbeat(lease, progress: JobProgress(phase: "encode", fraction: 0.5))
        #expect(try store.renew([beat], leaseSeconds: 99) == [.lost])
        #expect(try store.begin(lease, workKey: "late") == .leaseLost)
        #expect(try store.announce(lease, StoreTrial.publication) == false)
        let outcomes: [JobOutcome] = [
            .succeeded(StoreTrial.result), .cached(StoreTrial.result),
            .failed(StoreTrial.fault, retryable: true), .crashed(StoreTrial.fault),
            .returned(note: "x", delaySeconds: 0), .cancelled,
        ]
        for outcome in outcomes { #expect(try store.finish(lease, outcome) == nil) }
        #expect(try store.jobs(JobFilter()) == before)
    }

    @Test(
        "answers each beat of a batch by itself and keeps progress", arguments: StoreKind.allCases)
    func beats(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let (a, b, c) = (try trial.running("a"), try trial.running("b"), try trial.running("c"))
        #expect(try trial.store.cancel(b.job) == .stopWorker)
        _ = try trial.store.finish(c, .succeeded(StoreTrial.result))
        let progress = JobProgress(phase: "encode", fraction: 0.5, speed: 2, etaSeconds: 9)
        trial.clock.now += 10
        let answers = try trial.store.renew(
            [Heartbeat(c), Heartbeat(b), Heartbeat(a, progress: progress)], leaseSeconds: 40)
        #expect(answers == [.lost, .cancelRequested, .kept])
        #expect(try trial.record("a").progress == progress)
        #expect(try trial.record("a").leaseUntil == trial.clock.now + 40)
        #expect(try trial.record("b").leaseUntil == trial.clock.now + 40)
        _ = try trial.store.renew([Heartbeat(a)], leaseSeconds: 40)
        #expect(try trial.record("a").progress == progress)
        #expect(try trial.store.renew([], leaseSeconds: 40) == [])
    }

    @Test("lets one running job at a time do the same work", arguments: StoreKind.allCases)
    func admission(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let (a, b) = (try trial.running("a"), try trial.running("b"))
        #expect(try trial.store.begin(a, workKey: "same") == .admitted)
        #expect(try trial.store.begin(a, workKey: "same") == .admitted)
        #expect(try trial.store.begin(b, workKey: "same") == .busy(a.job))
        #expect(try trial.store.begin(b, workKey: "other") == .admitted)
        #expect(try trial.record("b").workKey == "other")
        #expect(try trial.store.announce(a, StoreTrial.publication))
        #expect(try trial.record("a").publication == StoreTrial.publication)
        _ = try trial.store.finish(a, .succeeded(StoreTrial.result))
        #expect(try trial.record("a").workKey == "same")
        #expect(try trial.store.begin(b, workKey: "same") == .admitted)
    }

    @Test(
        "a job waits while its work is done by another, however that ends",
        arguments: StoreKind.allCases, ["finished", "failed", "dead", "expired", "cancelled"])
    func waitsForWork(kind: StoreKind, ending: String) throws {
        let trial = try StoreTrial(kind)
        let (a, b) = (try trial.running("a", worker: "w0"), try trial.running("b"))
        #expect(try trial.store.begin(a, workKey: "same") == .admitted)
        #expect(try trial.store.begin(b, workKey: "same") == .busy(a.job))
        let outcome = JobOutcome.returned(note: "waits", delaySeconds: 0.5, workKey: "same")
        #expect(try trial.store.finish(b, outcome) == .scheduled)
        #expect(try trial.record("b").workKey == "same")
        trial.clock.now += 1
        #expect(try trial.claim() == nil && trial.store.secondsToNext() == nil)
        try trial.add("c")
        #expect(try trial.store.secondsToNext() == 0)
        #expect(try trial.drain() == ["c"])
        switch ending {
        case "finished": _ = try trial.store.finish(a, .succeeded(StoreTrial.result))
        case "failed":
            _ = try trial.store.finish(a, .failed(StoreTrial.fault, retryable: false))
        case "dead": _ = try trial.store.rescue(deadWorkers: [a.worker])
        case "expired":
            trial.clock.now += StoreTrial.lease
            _ = try trial.store.rescue(deadWorkers: [])
        default: _ = try trial.store.finish(a, .cancelled)
        }
        #expect(try trial.drain().contains("b"))
        #expect(try trial.store.secondsToNext() == nil)
    }

    @Test("does not hold up a work by what an earlier attempt did", arguments: StoreKind.allCases)
    func staleWork(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        // Both did the same work once, one after the other, and were interrupted.
        for id in ["a", "b"] {
            let lease = try trial.running(id)
            #expect(try trial.store.begin(lease, workKey: "same") == .admitted)
            #expect(try trial.store.announce(lease, StoreTrial.publication))
            _ = try trial.store.finish(lease, .returned(note: nil, delaySeconds: 60))
        }
        trial.clock.now += 60
        let (a, b) = (try #require(try trial.claim()), try #require(try trial.claim()))
        #expect(try trial.store.begin(a, workKey: "same") == .admitted)
        #expect(try trial.store.begin(b, workKey: "same") == .busy(a.job))
        #expect(try trial.record("b").publication == StoreTrial.publication)
    }
}

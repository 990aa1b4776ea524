import TakeupJobs
import Testing

extension JobStoreConformance {
    @Test(
        "the queue keeps the last result of a job whose later attempt fails",
        arguments: StoreKind.allCases)
    func lastResult(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let first = try trial.running("a")
        #expect(try trial.store.finish(first, .succeeded(StoreTrial.result)) == .succeeded)
        func record() throws -> JobRecord { try #require(try trial.store.job(first.job)) }
        #expect(try record().result == StoreTrial.result)
        #expect(try trial.store.retry(first.job) == .requeue)
        let second = try #require(try trial.claim())
        #expect(
            try trial.store.finish(second, .failed(StoreTrial.fault, retryable: false)) == .failed)
        #expect(try record().result == nil && record().lastResult == StoreTrial.result)
        #expect(try trial.store.retry(first.job) == .requeue)
        #expect(try trial.store.cancel(first.job) == .giveUp)
        #expect(try record().result == nil && record().lastResult == StoreTrial.result)
        #expect(try trial.store.retry(first.job) == .requeue)
        #expect(try record().result == StoreTrial.result)
    }

    @Test("what is cancelled did not end by an earlier failure", arguments: StoreKind.allCases)
    func cancelledAfterFailure(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let lease = try trial.running("a")
        _ = try trial.store.finish(lease, .failed(StoreTrial.fault, retryable: true))
        #expect(!"\(try trial.record("a").json)".contains("\"error\":null"))
        #expect(try trial.store.cancel(lease.job) == .giveUp)
        #expect("\(try trial.record("a").json)".contains("\"error\":null"))
    }

    @Test("records a success", arguments: StoreKind.allCases)
    func success(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let first = try trial.running("a")
        #expect(
            try trial.store.finish(first, .failed(StoreTrial.fault, retryable: true))
                == .scheduled)
        #expect(try trial.record("a").fault == StoreTrial.fault)
        trial.clock.now += 600
        let lease = try #require(try trial.claim())
        trial.clock.now += 3
        #expect(try trial.store.finish(lease, .succeeded(StoreTrial.result)) == .succeeded)
        let record = try trial.record("a")
        #expect(record.result == StoreTrial.result && record.fault == nil)
        #expect(record.owner == nil && record.leaseUntil == nil)
        #expect(record.finishedAt == trial.clock.now)
        #expect(record.startedAt == trial.clock.now - 3)
        #expect(record.machine.failures == 1)
    }

    @Test("tries again with a longer wait until the tries run out", arguments: StoreKind.allCases)
    func triesRunOut(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        try trial.add("a", retries: 2)
        for attempt in 1...2 {
            let lease = try #require(try trial.claim())
            #expect(
                try trial.store.finish(lease, .failed(StoreTrial.fault, retryable: true))
                    == .scheduled)
            let wait = try #require(try trial.store.secondsToNext())
            #expect((0..<RetryPolicy().ceiling(attempt: attempt)).contains(wait))
            trial.clock.now += wait + 0.001
        }
        let last = try #require(try trial.claim())
        #expect(
            try trial.store.finish(last, .failed(StoreTrial.fault, retryable: true)) == .failed)
        #expect(try trial.record("a").machine.failures == 3)
        trial.clock.now += 10_000
        #expect(try trial.claim() == nil)
        try trial.add("b", retries: 2)
        let hopeless = try #require(try trial.claim())
        #expect(
            try trial.store.finish(hopeless, .failed(StoreTrial.fault, retryable: false))
                == .failed)
    }

    @Test("quarantines a job by its third crash", arguments: StoreKind.allCases)
    func quarantine(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        try trial.add("a", retries: 100)
        for crash in 1...3 {
            let lease = try #require(try trial.claim())
            let state = try trial.store.finish(lease, .crashed(StoreTrial.fault))
            #expect(state == (crash < 3 ? .scheduled : .quarantined))
            trial.clock.now += 600
        }
        #expect(try trial.claim() == nil)
        #expect(try trial.store.rescue(deadWorkers: [WorkerID(rawValue: "w1")]) == [])
        let record = try trial.record("a")
        #expect(record.machine.crashes == 3 && record.fault == StoreTrial.fault)
        #expect(try trial.store.retry(record.id) == .requeue)
        #expect(try trial.record("a").machine == JobStateMachine(retries: 100))
    }

    @Test("counts no failure for what a worker gives back", arguments: StoreKind.allCases)
    func returned(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        try trial.add("a", retries: 0)
        for round in 1...5 {
            let lease = try #require(try trial.claim())
            #expect(
                try trial.store.finish(lease, .returned(note: nil, delaySeconds: 0)) == .queued)
            #expect(try trial.store.secondsToNext() == 0)
            let machine = try trial.record("a").machine
            #expect(machine.interruptions == round && machine.failures == 0)
        }
        #expect(try trial.drain() == ["a"])
    }

    @Test("cancels what waits at once", arguments: StoreKind.allCases)
    func cancelWaiting(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        #expect(try trial.store.cancel(JobID(rawValue: "unknown")) == nil)
        #expect(try trial.store.retry(JobID(rawValue: "unknown")) == nil)
        let scheduled = try trial.running("scheduled")
        _ = try trial.store.finish(scheduled, .returned(note: "full", delaySeconds: 60))
        try trial.add("queued")
        for id in ["scheduled", "queued"] {
            #expect(try trial.store.retry(JobID(rawValue: id)) == .ignore)
            #expect(try trial.store.cancel(JobID(rawValue: id)) == .giveUp)
            let record = try trial.record(id)
            #expect(record.state == .cancelled && record.finishedAt == trial.clock.now)
            #expect(record.note == nil)
            #expect(try trial.store.cancel(JobID(rawValue: id)) == .ignore)
            #expect(try trial.record(id) == record)
        }
        trial.clock.now += 1000
        #expect(try trial.claim() == nil)
    }

    @Test(
        "stops a running job that is to be cancelled, however it ends",
        arguments: StoreKind.allCases)
    func cancelRunning(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let endings: [JobOutcome?] = [
            .cancelled, .failed(StoreTrial.fault, retryable: true), .crashed(StoreTrial.fault),
            .returned(note: nil, delaySeconds: 0), .returned(note: nil, delaySeconds: 9), nil,
        ]
        for (number, ending) in endings.enumerated() {
            let lease = try trial.running("\(number)")
            #expect(try trial.store.cancel(lease.job) == .stopWorker)
            #expect(try trial.state("\(number)") == .running)
            if let ending {
                #expect(try trial.store.finish(lease, ending) == .cancelled)
            } else {
                #expect(
                    try trial.store.rescue(deadWorkers: [lease.worker]).map(\.lease.job) == [
                        lease.job
                    ])
            }
            #expect(try trial.state("\(number)") == .cancelled)
            trial.clock.now += 1000
            #expect(try trial.claim() == nil)
        }
    }

    @Test("has one terminal state when a cancel meets a success", arguments: StoreKind.allCases)
    func cancelRace(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let asked = try trial.running("asked first")
        #expect(try trial.store.cancel(asked.job) == .stopWorker)
        #expect(try trial.store.finish(asked, .succeeded(StoreTrial.result)) == .succeeded)
        #expect(try trial.store.finish(asked, .cancelled) == nil)
        #expect(try trial.state("asked first") == .succeeded)
        let done = try trial.running("done first")
        #expect(try trial.store.finish(done, .cached(StoreTrial.result)) == .cached)
        #expect(try trial.store.cancel(done.job) == .ignore)
        #expect(try trial.state("done first") == .cached)
    }

    @Test("gives a retried job all its tries, and refuses its past", arguments: StoreKind.allCases)
    func retry(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let lease = try trial.running("a", retries: 0)
        _ = try trial.store.finish(lease, .failed(StoreTrial.fault, retryable: true))
        trial.clock.now += 50
        #expect(try trial.store.retry(lease.job) == .requeue)
        #expect(try trial.store.retry(lease.job) == .ignore)
        let record = try trial.record("a")
        #expect(record.machine == JobStateMachine(retries: 0))
        #expect(record.fault == nil && record.finishedAt == nil && record.startedAt == nil)
        #expect(record.runAt == trial.clock.now)
        let next = try #require(try trial.claim())
        #expect(next.token > lease.token)
        #expect(try trial.store.retry(lease.job) == .ignore)
        _ = try trial.store.cancel(lease.job)
        _ = try trial.store.finish(next, .cancelled)
        #expect(try trial.store.retry(lease.job) == .requeue)
        #expect(try trial.record("a").machine.isCancelRequested == false)
    }
}

import TakeupJobs
import TakeupModel
import TestSupport
import Testing

/// What every store has to hold; the topics are in extensions.
@Suite("Job store")
struct JobStoreConformance {
    @Test("gives the higher priority first, then the earlier", arguments: StoreKind.allCases)
    func order(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let specs = [("a", 0), ("b", 5), ("c", -5), ("d", 5), ("e", 0), ("f", 1000)]
        let answers = try trial.store.submit(
            specs.map { StoreTrial.spec($0.0, priority: $0.1) })
        #expect(answers == Array(repeating: .accepted, count: 6))
        #expect(try trial.drain() == ["f", "b", "d", "a", "e", "c"])
    }

    @Test("starts what is overdue under a flood of urgent jobs", arguments: StoreKind.allCases)
    func aging(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        try trial.add("low", priority: -1000)
        let accepted = trial.clock.now
        var (urgent, claimsSinceOverdue) = (0, 0)
        while try trial.state("low") == .queued, claimsSinceOverdue < 20 {
            // Two come for every one that goes.
            for _ in 0..<2 {
                urgent += 1
                try trial.add("urgent \(urgent)", priority: 1000)
            }
            let lease = try #require(try trial.claim())
            _ = try trial.store.finish(lease, .succeeded(StoreTrial.result))
            let waited = trial.clock.now - accepted
            if waited >= AgingPolicy.overdueSeconds { claimsSinceOverdue += 1 }
            if lease.job.rawValue == "low" { #expect(waited >= AgingPolicy.overdueSeconds) }
            trial.clock.now += 7
        }
        #expect(try trial.state("low") == .succeeded)
        #expect((1...4).contains(claimsSinceOverdue))
    }

    @Test("starts nothing before its time", arguments: StoreKind.allCases)
    func waits(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        #expect(try trial.store.secondsToNext() == nil)
        let lease = try trial.running("a")
        #expect(try trial.store.secondsToNext() == nil)
        #expect(
            try trial.store.finish(lease, .returned(note: "no room", delaySeconds: 60))
                == .scheduled)
        #expect(try trial.record("a").note == "no room")
        #expect(try trial.store.secondsToNext() == 60)
        trial.clock.now += 59
        #expect(try trial.claim() == nil)
        #expect(try trial.store.secondsToNext() == 1)
        trial.clock.now += 1
        #expect(try trial.store.secondsToNext() == 0)
        #expect(try trial.claim()?.job.rawValue == "a")
        #expect(try trial.record("a").note == nil)
    }

    @Test("counts jobs by state", arguments: StoreKind.allCases)
    func counts(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        #expect(try trial.store.counts() == [:])
        _ = try trial.store.finish(try trial.running("a"), .succeeded(StoreTrial.result))
        _ = try trial.store.finish(try trial.running("b"), .cached(StoreTrial.result))
        _ = try trial.running("c")
        try trial.add("d")
        try trial.add("e")
        #expect(
            try trial.store.counts() == [.succeeded: 1, .cached: 1, .running: 1, .queued: 2])
    }

    @Test("tells what waits and runs, and for how long", arguments: StoreKind.allCases)
    func depth(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        #expect(try trial.store.depth() == QueueDepth())
        _ = try trial.store.finish(try trial.running("a"), .succeeded(StoreTrial.result))
        let lease = try trial.running("b")
        try trial.add("c")
        trial.clock.now += 5
        try trial.add("d")
        _ = try trial.store.finish(lease, .returned(note: "no room", delaySeconds: 60))
        _ = try trial.claim()
        trial.clock.now += 7
        let depth = try trial.store.depth()
        #expect([depth.queued, depth.scheduled, depth.running] == [1, 1, 1])
        #expect(depth.oldestSeconds == 7)
    }

    @Test("finds any of 1,200 ids in the order of acceptance", arguments: StoreKind.allCases)
    func lookup(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let names = (0..<1300).map { "job \($0)" }
        _ = try trial.store.submit(names.map { StoreTrial.spec($0) })
        var random = SeededRandom(state: 3)
        var ids = names.prefix(1200).map { JobID(rawValue: $0) }.shuffled(using: &random)
        ids += ids.prefix(20) + [JobID(rawValue: "unknown")]
        let all = try trial.store.jobs(JobFilter(ids: ids))
        #expect(all.map(\.id.rawValue) == Array(names.prefix(1200)))
        let some = try trial.store.jobs(JobFilter(ids: ids, limit: 700))
        #expect(some.map(\.id.rawValue) == Array(names.prefix(700)))
        #expect(try trial.store.jobs(JobFilter(ids: [])).isEmpty)
        #expect(try trial.store.jobs(JobFilter(limit: 0)).isEmpty)
        #expect(try trial.store.jobs(JobFilter(states: [])).isEmpty)
        #expect(try trial.claim()?.job.rawValue == "job 0")
        let waiting = try trial.store.jobs(JobFilter(states: [.queued], limit: 2))
        #expect(waiting.map(\.id.rawValue) == ["job 1", "job 2"])
        let running = try trial.store.jobs(JobFilter(states: [.running], ids: ids))
        #expect(running.map(\.id.rawValue) == ["job 0"])
    }

    @Test("forgets terminal jobs that ended long enough ago", arguments: StoreKind.allCases)
    func prune(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.finish(try trial.running("old"), .succeeded(StoreTrial.result))
        try trial.add("dropped")
        #expect(try trial.store.cancel(JobID(rawValue: "dropped")) == .giveUp)
        trial.clock.now += 100
        _ = try trial.store.finish(
            try trial.running("new"), .failed(StoreTrial.fault, retryable: false))
        _ = try trial.running("running")
        try trial.add("waiting")
        #expect(try trial.store.prune(olderThanSeconds: 101) == 0)
        #expect(try trial.store.prune(olderThanSeconds: 100) == 2)
        let left = try trial.store.jobs(JobFilter()).map(\.id.rawValue)
        #expect(left == ["new", "running", "waiting"])
        #expect(try trial.store.prune(olderThanSeconds: 0) == 1)
        #expect(try trial.store.prune(olderThanSeconds: 0) == 0)
        #expect(try trial.store.submit([StoreTrial.spec("old")]) == [.accepted])
    }

    @Test("forgets beyond a number what ended first", arguments: StoreKind.allCases)
    func pruneToNumber(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        for number in 0..<5 {
            _ = try trial.store.finish(
                try trial.running("\(number)"), .succeeded(StoreTrial.result))
            trial.clock.now += 1
        }
        try trial.add("waits")
        #expect(try trial.store.prune(olderThanSeconds: 1000, keeping: 5) == 0)
        #expect(try trial.store.prune(olderThanSeconds: 1000, keeping: 2) == 3)
        let left = try trial.store.jobs(JobFilter()).map(\.id.rawValue)
        #expect(left == ["3", "4", "waits"])
        #expect(try trial.store.prune(olderThanSeconds: 1, keeping: 2) == 2)
    }

    @Test("keeps any id and text as it is", arguments: StoreKind.allCases)
    func names(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let names = [
            "Ünïcödé 漢字 👩‍👩‍👧 \u{202E}", "'; DROP TABLE job; --", " ", "a%_*?",
            String(repeating: "é", count: 100), "e\u{301}", "\u{e9}",
        ]
        for name in names {
            #expect(
                try trial.store.submit([StoreTrial.spec(name, source: "/in/\(name)")]).count == 1)
            let found = try #require(try trial.store.job(JobID(rawValue: name)))
            #expect(Array(found.id.rawValue.utf8) == Array(name.utf8))
            #expect(found.spec.request.sources == ["/in/\(name)"])
        }
        let asked = names.map { JobID(rawValue: $0) }
        #expect(try trial.store.jobs(JobFilter(ids: asked)).count == names.count)
        #expect(try trial.drain().map { Array($0.utf8) } == names.map { Array($0.utf8) })
    }
}

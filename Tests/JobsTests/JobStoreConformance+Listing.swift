import TakeupJobs
import TakeupModel
import Testing

extension JobStoreConformance {
    /// Every id that a listing finds, over pages of so many.
    private func ids(
        _ listing: JobListing, by limit: Int, in store: any JobStore
    ) throws -> [String] {
        var (listing, found): (JobListing, [String]) = (listing, [])
        listing.limit = limit
        while true {
            let page = try store.list(listing)
            #expect(page.records.count <= limit)
            found += page.records.map(\.id.rawValue)
            guard let next = page.next else { return found }
            let cursor: JobCursor = try #require(JobCursor("\(next)"))
            listing.after = cursor
        }
    }

    /// `0` to `59`, each accepted a second after the one before it.
    private func filled(_ kind: StoreKind) throws -> StoreTrial {
        let trial = try StoreTrial(kind)
        for number in 0..<60 {
            var spec = StoreTrial.spec(
                "\(number % 2 == 0 ? "even" : "odd")-\(number)",
                source: "/in/\(number % 3)/a\"ä.mov")
            if number % 4 == 0 { spec.request.preset.name = "low" }
            _ = try trial.store.submit([spec])
            trial.clock.now += 1
        }
        for _ in 0..<20 {
            let lease = try #require(try trial.claim())
            _ = try trial.store.finish(lease, .failed(StoreTrial.fault, retryable: false))
        }
        return trial
    }

    @Test("lists the newest first, a page at a time", arguments: StoreKind.allCases, [1, 7, 100])
    func list(kind: StoreKind, limit: Int) throws {
        let trial = try filled(kind)
        let names = (0..<60).map { "\($0 % 2 == 0 ? "even" : "odd")-\($0)" }
        #expect(try ids(JobListing(), by: limit, in: trial.store) == names.reversed())
        var listing = JobListing()
        listing.states = [.failed]
        #expect(
            try ids(listing, by: limit, in: trial.store) == names.prefix(20).reversed())
        listing.states = [.failed, .queued, .running]
        #expect(try ids(listing, by: limit, in: trial.store) == names.reversed())
        listing.states = []
        #expect(try ids(listing, by: limit, in: trial.store) == [])
        listing.states = [.queued]
        listing.idPrefix = "odd-"
        #expect(
            try ids(listing, by: limit, in: trial.store)
                == names.dropFirst(20).filter { $0.hasPrefix("odd") }.reversed())
    }

    @Test(
        "lists what was accepted since, from what, with which preset", arguments: StoreKind.allCases
    )
    func listFilters(kind: StoreKind) throws {
        let trial = try filled(kind)
        var since = JobListing()
        since.acceptedSince = trial.clock.now - 5
        #expect(try ids(since, by: 2, in: trial.store).count == 5)
        var preset = JobListing()
        preset.preset = "low"
        #expect(try ids(preset, by: 4, in: trial.store).count == 15)
        preset.preset = "lo"
        #expect(try ids(preset, by: 4, in: trial.store) == [])
        for (text, count) in [
            ("1/a\"ä.mov", 20), ("/in/1", 20), ("1/", 20), ("/in", 60), ("/", 60), ("/i", 0),
            ("/in/1/a\"ä.mo", 0),
        ] {
            var source = JobListing()
            source.source = SourceMatch(text, from: "/in")
            #expect(try ids(source, by: 3, in: trial.store).count == count, "\(text)")
        }
    }

    @Test("a cursor keeps its place while jobs come and go", arguments: StoreKind.allCases)
    func cursor(kind: StoreKind) throws {
        let trial = try filled(kind)
        let first = try trial.store.list(JobListing(limit: 30))
        #expect(first.next == first.records.last?.cursor)
        try trial.add("new")
        #expect(try trial.store.prune(olderThanSeconds: 0) == 20)
        let rest = try trial.store.list(JobListing(after: first.next, limit: 30))
        #expect(rest.records.count == 10 && rest.next == nil)
        #expect(!Set(first.records.map(\.id)).contains(try #require(rest.records.first?.id)))
        for text in ["", "-", "1", "1-", "-1", "x-1", "1-1-1", "7ff0000000000000-1"] {
            #expect(JobCursor(text) == nil)
        }
    }

    @Test("an address is found with or without its query", arguments: StoreKind.allCases)
    func listAddresses(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit([
            StoreTrial.spec("a", source: "https://example.com/a.mov?key=1"),
            StoreTrial.spec("b", source: "https://example.com/a.mov2"),
        ])
        var listing = JobListing()
        for (text, found) in [
            ("https://example.com/a.mov", ["a"]), ("https://example.com/a.mov?key=1", ["a"]),
            ("https://example.com", ["b", "a"]), ("https://example.co", []),
        ] {
            listing.source = SourceMatch(text, from: "/")
            #expect(try ids(listing, by: 9, in: trial.store) == found)
        }
    }
}

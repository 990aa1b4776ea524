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

    @Test(
        "a search finds the beginning of an id, an address, a path or a file's name",
        arguments: StoreKind.allCases)
    func search(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let sources = [
            "/tmp/nu/media/clip.mov", "/tmp/nu/media/Clip 2.MOV", "/tmp/other/film.mov",
            "http://127.0.0.1:8000/clip.mov?token=secret", "https://example.com/a/My%20Holiday.mp4",
            "/tmp/ä\"b?.mov",
        ]
        _ = try trial.store.submit(
            sources.enumerated().map { StoreTrial.spec("j\($0.offset)", source: $0.element) })
        for (text, found) in [
            ("j", "012345"), ("j3", "3"), ("J3", ""), ("http://127", "3"), ("127.0", "3"),
            ("HTTPS://Example", "4"), ("/tmp/nu/med", "01"), ("/tmp/nu/media", "01"),
            ("/tmp/", "0125"), ("clip", "013"), ("clip.mov", "03"), ("my hol", "4"), ("mov", ""),
            ("nu/media", ""), ("ä\"b?.m", "5"), ("/tmp/Ä\"B", "5"), ("%", ""), ("_", ""),
            ("", "012345"),
            // No search finds out what an address hides.
            ("http://127.0.0.1:8000/clip.mov?", ""), ("http://127.0.0.1:8000/clip.mov?token=s", ""),
        ] {
            var listing = JobListing()
            listing.search = JobSearch(text)
            let ids = found.reversed().map { "j\($0)" }
            #expect(try self.ids(listing, by: 2, in: trial.store) == ids, "\(text)")
            listing.states = [.queued]
            #expect(try self.ids(listing, by: 99, in: trial.store) == ids, "\(text)")
        }
        var both = JobListing()
        (both.search, both.idPrefix) = (JobSearch("clip"), "j3")
        #expect(try ids(both, by: 2, in: trial.store) == ["j3"])
    }

    @Test("a search that finds very many finds all of them", arguments: StoreKind.allCases)
    func searchMany(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit(
            (0..<1203).map { StoreTrial.spec("j\($0)", source: "/in/\($0 % 2)/a.mov") })
        for (text, count) in [("a.m", 1203), ("/in/1", 601), ("/IN", 1203)] {
            var listing = JobListing()
            listing.search = JobSearch(text)
            #expect(try ids(listing, by: 500, in: trial.store).count == count, "\(text)")
        }
    }

    @Test("a search finds a job by its newest request", arguments: StoreKind.allCases)
    func searchReplaced(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        _ = try trial.store.submit([StoreTrial.spec("j", source: "/in/old.mov")])
        let lease = try #require(try trial.claim())
        _ = try trial.store.finish(lease, .failed(StoreTrial.fault, retryable: false))
        _ = try trial.store.submit([StoreTrial.spec("j", source: "/in/new.mov")])
        for (text, count) in [("old", 0), ("new", 1), ("/in/n", 1)] {
            var listing = JobListing()
            listing.search = JobSearch(text)
            #expect(try ids(listing, by: 9, in: trial.store).count == count, "\(text)")
        }
    }
}

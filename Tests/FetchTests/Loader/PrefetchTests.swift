import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Prefetch")
struct PrefetchTests {
    private static let length: Int64 = 4_000_000
    private let content = LoaderTrial.content(length)

    private func object(_ change: (inout OriginFaults) -> Void = { _ in }) -> OriginObject {
        var object = OriginObject(content)
        change(&object.faults)
        return object
    }

    private func prefetcher(_ trial: borrowing LoaderTrial) -> Prefetcher {
        Prefetcher(library: trial.library, limits: SourceLimits())
    }

    @Test("sources come one after the other, the next one first, and no more than two")
    func order() throws {
        let trial = try LoaderTrial()
        let paths = ["/a.mp4", "/b.mp4", "/c.mp4"]
        for path in paths { trial.origin.serve(path, object()) }
        let prefetcher = prefetcher(trial)
        prefetcher.want(paths.map { WantedSource(trial.origin.url($0)) })
        #expect(trial.origin.wait { $0.bytesServed("/b.mp4") == Self.length })
        #expect(trial.origin.wait { $0.totals.openRequests == 0 })
        prefetcher.stop()
        let (first, second) = (trial.origin.requests("/a.mp4"), trial.origin.requests("/b.mp4"))
        #expect(trial.origin.bytesServed("/a.mp4") == Self.length)
        #expect(first.compactMap(\.endSeconds).max() ?? .infinity <= second[0].seconds)
        #expect(trial.origin.requestCount("/c.mp4") == 0)
        let requests = trial.origin.requestCount("/a.mp4")
        let reader = try trial.loader().reader()
        #expect(try reader.everything() == LoaderTrial.bytes(content))
        #expect(trial.origin.requestCount("/a.mp4") == requests)
        #expect(trial.logs.withLock { $0.map(\.kind) }.prefix(2) == [.prefetch, .prefetch])
    }

    @Test("who reads what is prefetched joins: no byte comes twice, and it is live at once")
    func joins() throws {
        let trial = try LoaderTrial { $0.kind = .export }
        trial.origin.serve("/a.mp4", object { $0.stalls = [OriginStall(at: 1_500_000)] })
        let prefetcher = prefetcher(trial)
        prefetcher.want([WantedSource(trial.origin.url("/a.mp4"))])
        #expect(trial.origin.wait { $0.bytesServed("/a.mp4") == 1_500_000 })
        let loader = try trial.loader()
        #expect(loader.log.kind == .prefetch && !trial.library.traffic.isLive)
        let reader = loader.reader()
        #expect(try reader.some(10, at: 0) == content.read(0..<10))
        #expect(loader.log.kind == .export && trial.library.traffic.isLive)
        let requests = trial.origin.requestCount("/a.mp4")
        trial.origin.release("/a.mp4")
        #expect(try reader.equals(LoaderTrial.bytes(content)))
        prefetcher.stop()
        #expect(trial.origin.bytesServed("/a.mp4") == Self.length)
        // The transfer that was under way was not broken off.
        #expect(trial.origin.requestCount("/a.mp4") - requests <= 1)
        #expect(trial.origin.wait { _ in !trial.library.traffic.isLive })
    }

    @Test(
        "gives way to who waits elsewhere: no request until that is over, and a block twice at most",
        arguments: [true, false])
    func givesWay(isSilent: Bool) throws {
        let trial = try LoaderTrial()
        let origin = trial.origin
        origin.serve(
            "/ahead.mp4",
            object {
                if isSilent { $0.stalls = [OriginStall(at: 500_000)] }
                if !isSilent { $0.bytesPerSecond = 2_000_000 }
            })
        origin.serve("/live.mp4", object { $0.stalls = [OriginStall(at: 1_000_000)] })
        let prefetcher = prefetcher(trial)
        prefetcher.want([WantedSource(origin.url("/ahead.mp4"))])
        #expect(origin.wait { $0.bytesServed("/ahead.mp4") >= 500_000 })
        let reader = try trial.loader("/live.mp4").reader()
        let bytes = try LoaderTrial.bytes(content)
        let isRight = Locked(false)
        let group = LaneGroup()
        group.start("live") {
            let equals = (try? reader.equals(bytes)) ?? false
            isRight.withLock { $0 = equals }
        }
        #expect(origin.wait { $0.bytesServed("/live.mp4") == 1_000_000 })
        #expect(origin.wait { $0.totals.openRequests == 1 })
        let key = SourceKey(address: origin.url("/ahead.mp4"))
        let store = trial.library.store
        // What stands still is nobody's, so that no other process waits for it.
        #expect(origin.wait { _ in (try? store.summary(key))??.isInUse == false })
        let ahead = origin.bytesServed("/ahead.mp4")
        #expect(!isSilent || ahead == 500_000)
        origin.release("/live.mp4")
        group.wait()
        #expect(isRight.withLock { $0 })
        #expect(origin.wait { _ in (try? store.summary(key))??.isComplete == true })
        prefetcher.stop()
        let live = origin.requests("/live.mp4")
        let end = try #require(live.compactMap(\.endSeconds).max())
        for request in origin.requests("/ahead.mp4") {
            #expect(request.seconds < live[0].seconds || request.seconds >= end)
        }
        // A block that was begun comes again, and what was on its way: a quarter of a second's worth.
        let most = Self.length + BlockMap.blockBytes + (isSilent ? 0 : 500_000)
        #expect(origin.bytesServed("/ahead.mp4") <= most)
    }

    @Test("what fails is left to who reads it, and holds up nothing else")
    func fails() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/bad.mp4", object { $0.answers = [.status(404)] })
        trial.origin.serve("/good.mp4", object())
        let prefetcher = prefetcher(trial)
        prefetcher.want(["/bad.mp4", "/good.mp4"].map { WantedSource(trial.origin.url($0)) })
        #expect(trial.origin.wait { $0.bytesServed("/good.mp4") == Self.length })
        prefetcher.want(["/bad.mp4", "/good.mp4"].map { WantedSource(trial.origin.url($0)) })
        prefetcher.stop()
        #expect(trial.origin.requestCount("/bad.mp4") == 1)
        let log = try #require(trial.logs.withLock { $0.first })
        #expect(log.kind == .prefetch && log.result == "status 404")
        let loader = try trial.loader("/bad.mp4")
        #expect(throws: FetchError.self) { try loader.information() }
        trial.origin.change("/bad.mp4") { $0.faults.answers = [] }
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("who joins a prefetch that is about to fail has tries of its own")
    func ownTries() throws {
        let trial = try LoaderTrial {
            $0.retry = OriginRetryPolicy(firstSeconds: 0.2, longestSeconds: 0.2)
        }
        trial.origin.serve("/a.mp4", object { $0.answers = [.status(503, times: 7)] })
        let prefetcher = prefetcher(trial)
        prefetcher.want([WantedSource(trial.origin.url("/a.mp4"))])
        #expect(trial.origin.wait { $0.requestCount("/a.mp4") >= 3 })
        #expect(try trial.loader().reader().everything() == LoaderTrial.bytes(content))
        prefetcher.stop()
    }

    @Test("a prefetch that waits between its tries holds up nobody")
    func noWait() throws {
        let trial = try LoaderTrial {
            $0.retry = OriginRetryPolicy(firstSeconds: 300, longestSeconds: 300)
        }
        trial.origin.serve("/a.mp4", object { $0.answers = [.status(503, times: 1)] })
        let prefetcher = prefetcher(trial)
        prefetcher.want([WantedSource(trial.origin.url("/a.mp4"))])
        let loader = try trial.loader()
        #expect(trial.origin.wait { _ in loader.status.phase == .retrying })
        let began = ContinuousClock.now
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(ContinuousClock.now - began < .seconds(100))
        prefetcher.stop()
    }

    @Test("ends as soon as it is told to; what is here stays")
    func stops() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.bytesPerSecond = 1_000_000 })
        let prefetcher = prefetcher(trial)
        prefetcher.want([WantedSource(trial.origin.url("/a.mp4"))])
        #expect(trial.origin.wait { $0.bytesServed("/a.mp4") >= 700_000 })
        let before = trial.origin.bytesServed("/a.mp4")
        prefetcher.stop()
        #expect(trial.origin.wait { $0.totals.openRequests == 0 })
        // Within a second, as the origin counts it.
        #expect(trial.origin.bytesServed("/a.mp4") - before <= 1_000_000)
        #expect(try trial.loader().status.presentBytes >= BlockMap.blockBytes)
        prefetcher.want([WantedSource(trial.origin.url("/a.mp4"))])
        let requests = trial.origin.requestCount("/a.mp4")
        prefetcher.stop()
        #expect(trial.origin.requestCount("/a.mp4") == requests)
    }

    @Test("what another process fetches is left to it")
    func elsewhere() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object())
        let address = trial.origin.url("/a.mp4")
        let other = try trial.another()
        let writer = try other.loader(for: address)
        let source = WantedSource(address)
        let end = try trial.library.prefetch(source, within: SourceLimits()) { false }
        #expect(end == .elsewhere && writer.session.file.status.isWriter)
        #expect(trial.origin.requestCount("/a.mp4") == 0)
    }

    @Test(
        "keeps the limits and lets nothing go for them",
        arguments: [
            SourceLimits(maxBytes: 3_000_000), SourceLimits(maxEntries: 1),
            SourceLimits(minFreeBytes: 1 << 60),
        ])
    func limits(limits: SourceLimits) throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/old.mp4", OriginObject(LoaderTrial.content(1_000_000)))
        trial.origin.serve("/a.mp4", object())
        try trial.loader("/old.mp4").waitUntilComplete()
        let address = trial.origin.url("/a.mp4")
        let end = try trial.library.prefetch(WantedSource(address), within: limits) { false }
        #expect(end == .noRoom)
        let most = limits.maxBytes == nil ? 0 : FetchSchedule.firstBytes
        #expect(trial.origin.wait { $0.totals.openRequests == 0 })
        #expect(trial.origin.bytesServed("/a.mp4") <= most)
        let old = SourceKey(address: trial.origin.url("/old.mp4"))
        #expect(try trial.library.store.summary(old)?.isComplete == true)
        // Who reads it is bound by none of that.
        #expect(try trial.loader().reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("what does not tell its length ends where there is no more room")
    func unknownLength() throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/a.mp4",
            object {
                ($0.ranges, $0.framing) = (.ignored, .chunked)
                $0.stalls = [OriginStall(at: 2_000_000)]
            })
        let limits = SourceLimits(maxBytes: 1_500_000)
        let address = trial.origin.url("/a.mp4")
        let end = try trial.library.prefetch(WantedSource(address), within: limits) { false }
        #expect(end == .noRoom)
        #expect((1_500_000...2_000_000).contains(trial.origin.bytesServed("/a.mp4")))
    }

    @Test("takes half of what is free above the floor")
    func room() throws {
        let key = SourceKey(address: "a")
        let limits = SourceLimits(minFreeBytes: 1000)
        #expect(limits.prefetchRoom(for: key, among: [], freeBytes: 5000) == 2000)
        #expect(limits.prefetchRoom(for: key, among: [], freeBytes: 900) == 0)
    }
}

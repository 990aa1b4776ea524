import Foundation
import TakeupCache
import TakeupLanes
import TakeupModel
import TakeupService
import Testing

@testable import takeup

@Suite("Cache commands")
struct CacheCommandTests {
    @Test("list is one array with the entries' keys")
    func listJSON() async throws {
        let bench = try TestBench()
        #expect(await bench.run("cache list --json", cache: FakeCache(["a", "kept"])) == .success)
        let decoded = try JSONSerialization.jsonObject(with: Data(bench.output.text.utf8))
        let entries = try #require(decoded as? [[String: Any]])
        #expect(
            Set(entries[0].keys) == [
                "id", "path", "bytes", "sha256", "preset", "source", "createdAt", "expiresAt",
                "lastAccessAt", "hits", "pinned", "ids", "kind",
            ])
        #expect(entries[0]["expiresAt"] as? String == "1970-01-19T13:46:40Z")
        #expect(entries.compactMap { $0["pinned"] as? Bool } == [false, true])
    }

    @Test("list for people is a table with sizes and ages")
    func listText() async throws {
        let bench = try TestBench()
        #expect(await bench.run("cache list", cache: FakeCache(["a", "kept"])) == .success)
        #expect(
            bench.output.lines == [
                "ID    SIZE     MADE        EXPIRES  USED  HITS  PRESET  SOURCE",
                "a     2.40 MB  60 min ago  in 6 d   now   7     medium  /in/a.mov",
                "kept  2.40 MB  60 min ago  pinned   now   7     medium  /in/kept.mov",
            ])
    }

    @Test("get prints the path and nothing else, or nothing and 66")
    func get() async throws {
        let cache = FakeCache(["a"])
        let bench = try TestBench()
        #expect(await bench.run("cache get a", cache: cache) == .success)
        #expect(bench.output.text == "/cache/objects/ab/a.mp4\n")
        #expect(bench.diagnostics.text.isEmpty)
        let miss = try TestBench()
        #expect(await miss.run("cache get b", cache: cache) == .inputMissing)
        #expect(miss.output.text.isEmpty)
        #expect(miss.diagnostics.text.contains("there is no cache entry 'b'"))
    }

    @Test("stats reproduce requests times size")
    func stats() async throws {
        let bench = try TestBench()
        #expect(await bench.run("cache stats --json", cache: FakeCache([])) == .success)
        #expect(
            bench.output.text
                == #"{"entries":2,"bytes":4800000,"hits":20300,"misses":100,"#
                + #""bytesSaved":48720000000,"evictions":3,"freeBytes":1000000000,"#
                + #""exports":4,"retries":1,"speed":2.5,"sources":0,"sourceBytes":0,"#
                + #""orphans":0,"orphanBytes":0}"# + "\n")
        let people = try TestBench()
        #expect(await people.run("cache stats", cache: FakeCache([])) == .success)
        #expect(people.output.text.contains("48.7 GB (20300 hits × 2.40 MB on average)\n"))
        #expect(people.output.text.contains("20300 (99.5 % of 20400 requests)\n"))
    }

    @Test("pin, unpin and remove say what came of each")
    func changes() async throws {
        let cache = FakeCache(["a", "b", "kept"], inUse: ["b"])
        let bench = try TestBench()
        #expect(await bench.run("cache pin a", cache: cache) == .success)
        #expect(await bench.run("cache unpin a none", cache: cache) == .inputMissing)
        #expect(await bench.run("cache remove kept", cache: cache) == .failed)
        #expect(await bench.run("cache remove a b", cache: cache) == .temporary)
        #expect(
            bench.output.lines
                == [
                    "a: pinned", "a: unpinned", "kept: pinned, left as it is", "a: removed",
                    "b: in use, left as it is",
                ])
        #expect(cache.ids == ["b", "kept"])
        #expect(await bench.run("cache remove b a", cache: cache) == .inputMissing)
    }

    @Test("clean says what goes and why, and what stays because it is read")
    func clean() async throws {
        let cache = FakeCache([])
        let bench = try TestBench()
        #expect(await bench.run("cache clean --dry-run", cache: cache) == .success)
        #expect(
            bench.output.lines == [
                "old   1.00 MB  expired  would go", "read  5 bytes  unused   in use, kept",
                "1 result would go, 1.00 MB",
            ])
        let script = try TestBench()
        #expect(await script.run("cache clean --json", cache: cache) == .success)
        #expect(
            script.output.text
                == #"[{"id":"old","bytes":1000000,"reason":"expired","outcome":"removed"},"#
                + #"{"id":"read","bytes":5,"reason":"unused","outcome":"inUse"}]"# + "\n")
        #expect(cache.dryRuns.withLock { $0 } == [true, false])
    }

    @Test("the limits arrive where the cache is opened")
    func limits() async throws {
        let bench = try TestBench()
        let opened = Locked<[CacheLimits]>([])
        var context = bench.context(
            environment: ["HOME": bench.folder, "TAKEUP_CACHE_MAX_ENTRIES": "5"])
        context.openCache = { _, limits in
            opened.withLock { $0.append(limits) }
            return FakeCache([]).access
        }
        let line = "cache clean --cache-max-bytes 50GB --cache-expires 30d --cache-unused 12h"
        #expect(
            await Program.run(line.split(separator: " ").map(String.init), in: context) == .success)
        #expect(
            opened.withLock { $0 } == [
                CacheLimits(
                    maxEntries: 5, maxBytes: 50_000_000_000, minFreeBytes: 1_000_000_000,
                    expiresSeconds: 2_592_000, unusedSeconds: 43_200)
            ])
        for option in ["max-entries=0", "max-bytes=x", "min-free=-1", "expires=soon"] {
            #expect(
                await bench.run("cache clean --cache-\(option)", cache: FakeCache([])) == .usage)
        }
    }

    @Test("verify ends with 76 when something was damaged")
    func verify() async throws {
        let good = try TestBench()
        #expect(await good.run("cache verify", cache: FakeCache([])) == .success)
        #expect(good.output.text == "2 checked, 0 damaged\n")
        let damages = [CacheAccess.Damage(id: "a", problem: "cut short")]
        let bad = try TestBench()
        let cache = FakeCache([], damages: damages)
        #expect(await bad.run("cache verify --json", cache: cache) == .verificationFailed)
        #expect(
            bad.output.text
                == #"{"checked":2,"problems":[{"id":"a","problem":"cut short"}]}"# + "\n")
    }
}

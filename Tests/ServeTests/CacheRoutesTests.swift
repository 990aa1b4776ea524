import Foundation
import TakeupCache
import TakeupLanes
import TakeupService
import TestSupport
import Testing

@testable import TakeupServe

@Suite("The cache over HTTP")
struct CacheRoutesTests {
    @Test("a cache that is away is no cache without results")
    func away() throws {
        let trial = try JobTrial()
        try trial.tools.cache.add(Array("film".utf8), as: "a")
        let (cache, elsewhere) = (trial.places.cache, trial.directory.file("elsewhere"))
        #expect(try trial.ask("GET", "/media/a.mp4").status == 200)
        let asked = [
            ("GET", "/v1/cache"), ("GET", "/v1/cache/stats"), ("GET", "/v1/cache/a"),
            ("GET", "/v1/cache/a?lookup=1"), ("POST", "/v1/cache/a/pin"), ("DELETE", "/v1/cache/a"),
        ]
        // Unmounted, and a path that leads to an empty folder.
        for isMade in [false, true] {
            rename(cache, elsewhere)
            if isMade { mkdir(cache, 0o700) }
            for (method, path) in asked {
                let refused = try trial.ask(method, path)
                #expect(refused.status == 503 && refused.word("code") == "cacheGone", "\(path)")
                #expect(refused.fields["retry-after"] != nil)
            }
            #expect(try trial.ask("GET", "/v1/sources").word("code") == "cacheGone")
            #expect(try trial.ask("GET", "/readyz").status == 503)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: elsewhere).contains("owner"))
            rmdir(cache)
            rename(elsewhere, cache)
            #expect(try trial.ask("GET", "/v1/cache/a").status == 200)
        }
        // Removed: the open folders are empty then.
        try FileManager.default.copyItem(atPath: "\(cache)/objects", toPath: elsewhere)
        try FileManager.default.removeItem(atPath: "\(cache)/objects")
        for (method, path) in asked + [("GET", "/media/a.mp4")] {
            #expect(try trial.ask(method, path).status == 503, "\(path)")
        }
        #expect(try trial.tools.cache.manifest.entry(named: "a") != nil)
        rename(elsewhere, "\(cache)/objects")
        try trial.restart()
        #expect(try trial.ask("GET", "/media/a.mp4").status == 200)
    }

    @Test("a database that is away is not made again, and no write to it counts as done")
    func databaseAway() throws {
        let trial = try JobTrial()
        try trial.tools.cache.add(Array("film".utf8), as: "a")
        let (home, elsewhere) = (trial.places.home, trial.directory.file("elsewhere"))
        rename(home, elsewhere)
        for (method, path) in [
            ("GET", "/v1/cache"), ("GET", "/v1/cache/a"), ("POST", "/v1/cache/a/pin"),
            ("POST", "/v1/cache/clean"),
        ] {
            let refused = try trial.ask(method, path, method == "POST" ? "{}" : nil)
            #expect(refused.status == 503 && refused.word("code") == "databaseGone", "\(path)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(home)/takeup.sqlite"))
        try? FileManager.default.removeItem(atPath: home)
        rename(elsewhere, home)
        #expect(try trial.ask("POST", "/v1/cache/a/pin").status == 200)
    }

    @Test("a result whose file is damaged is told in the log, whoever asks for it")
    func damage() throws {
        let trial = try MediaTrial()
        let entry = try trial.result(Array("film".utf8), as: "a")
        try Data("mlif".utf8).write(
            to: URL(filePath: trial.tools.cache.objects.path(of: entry.object)))
        #expect(try trial.curl("\(trial.base)/v1/cache/a?lookup=1").status == 404)
        #expect(trial.notes.withLock { $0.contains { $0.contains("is put aside") } })
    }

    @Test("results are listed, pinned, looked up and removed")
    func entries() async throws {
        let trial = try JobTrial()
        #expect(try trial.ask("GET", "/v1/cache")["entries"] as? [String] == [])
        let source = try trial.clip()
        // No hash is remembered of a file that changed less than 0.1 s ago, and a lookup reads none.
        usleep(100_000)
        let job = #"{"id": "one", "source": "\#(source)", "preset": "passthrough"}"#
        let sound = #"{"id": "two", "source": "\#(source)", "preset": "m4a"}"#
        let missing = try trial.ask("POST", "/v1/cache/lookup", job)
        #expect(missing.status == 404 && missing.word("code") == "notCached")
        _ = try trial.ask("POST", "/v1/jobs", "[\(job), \(sound)]")
        try await trial.working {
            for id in ["one", "two"] { _ = try trial.ask("GET", "/v1/jobs/\(id)/events") }
        }
        let found = try trial.ask("POST", "/v1/cache/lookup", job)
        #expect(found.status == 200 && found.word("id") == "one", "\(found.text)")
        var (target, ids): (String?, [String]) = ("/v1/cache?limit=1&kind=result", [])
        while let next = target {
            let page = try trial.ask("GET", next)
            ids.append(try #require(page.word("entries.0.id")))
            target = page.fields["link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(ids == ["two", "one"])
        #expect(try trial.ask("GET", "/v1/cache?preset=m4a").word("entries.0.id") == "two")
        let before = try trial.ask("GET", "/v1/cache/one")
        #expect(before.status == 200 && before.number("hits") == 0)
        #expect(try trial.ask("GET", "/v1/cache/one?lookup=1").number("hits") == 1)
        #expect(try trial.ask("GET", "/v1/cache/one").number("hits") == 1)
        let pinned = try trial.ask("POST", "/v1/cache/one/pin")
        #expect(pinned.status == 200 && pinned["pinned"] as? Bool == true)
        let refused = try trial.ask("DELETE", "/v1/cache/one")
        #expect(refused.status == 409 && refused.word("code") == "pinned")
        #expect(try trial.ask("POST", "/v1/cache/one/unpin")["pinned"] as? Bool == false)
        #expect(try trial.ask("DELETE", "/v1/cache/one").status == 204)
        #expect(try trial.ask("DELETE", "/v1/cache/one").status == 404)
        #expect(try trial.ask("POST", "/v1/cache/one/pin").status == 404)
        let stats = try trial.ask("GET", "/v1/cache/stats")
        #expect(stats.number("entries") == 1 && stats.number("exports") == 2)
        let clean = try trial.ask("POST", "/v1/cache/clean", #"{"dryRun": true}"#)
        #expect(clean.status == 200 && (clean["evictions"] as? [Any])?.isEmpty == true)
        let wrong = try trial.ask("POST", "/v1/cache/clean", #"{"dryrun": true}"#)
        #expect(wrong.status == 400 && wrong.word("hint") == "did you mean 'dryRun'?")
    }
}

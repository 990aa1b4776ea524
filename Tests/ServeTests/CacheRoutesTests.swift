import Foundation
import TestSupport
import Testing

@testable import TakeupServe

@Suite("The cache over HTTP")
struct CacheRoutesTests {
    @Test("results are listed, pinned, looked up and removed")
    func entries() async throws {
        let trial = try JobTrial()
        #expect(try trial.ask("GET", "/v1/cache")["entries"] as? [String] == [])
        let source = try trial.clip()
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

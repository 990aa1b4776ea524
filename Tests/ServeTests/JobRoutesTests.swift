import Foundation
import TakeupJobs
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Jobs over HTTP")
struct JobRoutesTests {
    private static let address = "https://media.example.com/a.mov"

    @Test(
        "an address that no connection would be made to is refused at once, however it is spelt",
        arguments: [
            "http://127.0.0.1/a.mov", "http://169.254.169.254/latest", "http://[::1]/a.mov",
            "http://2130706433/a.mov", "http://0177.0.0.1/a.mov", "http://0x7f000001/a.mov",
            "http://127.1/a.mov", "http://[::ffff:127.0.0.1]/a.mov", "http://0.0.0.0:8080/a.mov",
        ])
    func literalAddresses(url: String) throws {
        let trial = try JobTrial()
        for (path, name) in [
            ("/v1/jobs", "source"), ("/v1/plan", "source"), ("/v1/cache/lookup", "source"),
            ("/v1/preload", "url"),
        ] {
            let refused = try trial.ask("POST", path, "{\"\(name)\": \"\(url)\"}")
            #expect(refused.status == 403 && refused.word("code") == "addressDenied")
        }
        let list = #"[{"source": "\#(url)"}, {"source": "https://a.example/a.mov"}]"#
        let answers = try trial.ask("POST", "/v1/jobs", list)
        #expect(answers.status == 200 && answers.word("jobs.0.error.code") == "addressDenied")
        #expect(answers.word("jobs.1.state") == "queued")
        for url in ["ftp://a.example/x", "file:///etc/passwd", "nothing"] {
            let refused = try trial.ask("POST", "/v1/preload", #"{"url": "\#(url)"}"#)
            #expect(refused.status == 400 && refused.word("code") == "invalidAddress")
        }
    }

    @Test("a job is new once, there from then on, and told with a validator")
    func submission() throws {
        let trial = try JobTrial()
        let body = #"{"id": "story 42/7", "source": "\#(Self.address)"}"#
            .replacingOccurrences(of: "/7", with: "-7")
        let first = try trial.ask("POST", "/v1/jobs", body)
        #expect(first.status == 201 && first.word("state") == "queued")
        #expect(first.fields["location"] == "/v1/jobs/story%2042-7")
        #expect(try trial.ask("POST", "/v1/jobs", body).status == 200)
        let other = #"{"id": "story 42-7", "source": "\#(Self.address)", "preset": "low"}"#
        let conflict = try trial.ask("POST", "/v1/jobs", other)
        #expect(conflict.status == 409 && conflict.word("code") == "idConflict")
        #expect(conflict.fields["content-type"] == "application/problem+json")
        let shown = try trial.ask("GET", "/v1/jobs/story%2042-7")
        #expect(shown.status == 200 && shown.word("spec.sources.0") == Self.address)
        let tag = try #require(shown.fields["etag"])
        let again = try trial.ask("GET", "/v1/jobs/story%2042-7", nil, [("If-None-Match", tag)])
        #expect(again.status == 304 && again.body.isEmpty)
        let head = try trial.ask("HEAD", "/v1/jobs/story%2042-7")
        #expect(head.status == 200 && head.fields["etag"] == tag && head.body.isEmpty)
        #expect(try trial.ask("GET", "/v1/jobs/nobody").status == 404)
    }

    @Test("cancel and retry say whether they began something")
    func changes() throws {
        let trial = try JobTrial()
        _ = try trial.ask("POST", "/v1/jobs", #"{"id": "a", "source": "\#(Self.address)"}"#)
        #expect(try trial.ask("POST", "/v1/jobs/a/retry").status == 200)
        let cancelled = try trial.ask("DELETE", "/v1/jobs/a")
        #expect(cancelled.status == 202 && cancelled.word("state") == "cancelled")
        #expect(try trial.ask("DELETE", "/v1/jobs/a").status == 200)
        let retried = try trial.ask("POST", "/v1/jobs/a/retry")
        #expect(retried.status == 202 && retried.word("state") == "queued")
        #expect(try trial.ask("DELETE", "/v1/jobs/b").status == 404)
        #expect(try trial.ask("GET", "/v1/jobs/counts").number("queued") == 1)
        _ = try trial.ask("DELETE", "/v1/jobs/a")
        let pruned = try trial.ask("POST", "/v1/jobs/prune", #"{"olderThan": 0}"#)
        #expect(pruned.status == 200 && pruned.number("pruned") == 1)
        #expect(try trial.ask("POST", "/v1/jobs/prune", #"{"olderThan": -1}"#).status == 400)
    }

    @Test("every body of JSON is refused that has a member too many, and nothing is done")
    func unknownMembers() throws {
        let trial = try JobTrial()
        let bodies = [
            ("/v1/jobs", #"{"source": "\#(Self.address)", "prest": "low"}"#),
            ("/v1/jobs/lookup", #"{"id": ["a"]}"#), ("/v1/jobs/prune", #"{"olderthan": 0}"#),
            ("/v1/plan", #"{"source": "\#(Self.address)", "prest": "low"}"#),
            ("/v1/presets/for", #"{"sources": "\#(Self.address)"}"#),
            ("/v1/cache/lookup", #"{"source": "\#(Self.address)", "prest": "low"}"#),
            ("/v1/cache/clean", #"{"dry-run": true}"#), ("/v1/cache/clean", #"{"dryRun": 1}"#),
            ("/v1/preload", #"{"url": "\#(Self.address)", "nxt": 1}"#),
            ("/v1/proxy", #"{"url": "\#(Self.address)", "expire": "1h"}"#),
            ("/session", #"{"token": "a", "tokn": "b"}"#),
        ]
        for (path, body) in bodies {
            let refused = try trial.ask("POST", path, body)
            let codes = ["malformedBody", "invalidJob"]
            #expect(refused.status == 400, "\(path): \(refused.text)")
            #expect(codes.contains(refused.word("code") ?? ""), "\(refused.text)")
            #expect(refused.number("exitCode") == 64)
        }
        #expect(try trial.ask("GET", "/v1/jobs/counts").number("queued") == 0)
    }

    @Test("a list goes on from page to page, and filters")
    func pages() throws {
        let trial = try JobTrial()
        let jobs = (0..<7).map {
            #"{"id": "job-\#($0)", "source": "https://a.example/\#($0).mov"}"#
        }
        let placed = try trial.ask("POST", "/v1/jobs", "[\(jobs.joined(separator: ","))]")
        #expect(placed.status == 200 && placed.word("jobs.6.id") == "job-6")
        #expect(placed["jobs.0.created"] as? Bool == true)
        var (target, seen): (String?, [String]) = ("/v1/jobs?limit=3&state=queued,running", [])
        while let next = target {
            let page = try trial.ask("GET", next)
            #expect(page.status == 200)
            seen += (page["jobs"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            target = page.fields["link"].map { link in
                #expect(link.hasSuffix(">; rel=\"next\""))
                return String(link.dropFirst().prefix { $0 != ">" })
            }
            #expect((page.word("next") == nil) == (target == nil))
        }
        #expect(seen == (0..<7).reversed().map { "job-\($0)" })
        #expect(try trial.ask("GET", "/v1/jobs?state=failed")["jobs"] as? [String] == [])
        let one = try trial.ask("GET", "/v1/jobs?idPrefix=job-3&source=https://a.example/3.mov")
        #expect((one["jobs"] as? [Any])?.count == 1)
        for query in [
            "limit=0", "limit=1001", "state=lost", "after=x", "stat=queued", "limit=1&limit=2",
        ] {
            let refused = try trial.ask("GET", "/v1/jobs?\(query)")
            #expect(refused.status == 400 && refused.word("code") == "invalidQuery", "\(query)")
        }
        #expect(
            try trial.ask("GET", "/v1/jobs?stat=queued").word("hint") == "did you mean 'state'?")
        let found = try trial.ask("POST", "/v1/jobs/lookup", #"{"ids": ["job-1", "nobody"]}"#)
        #expect(found.word("jobs.0.id") == "job-1" && (found["jobs"] as? [Any])?.count == 1)
    }

    @Test("several jobs are answered one by one; what is no JSON is refused as a whole")
    func batches() throws {
        let trial = try JobTrial()
        let mixed = try trial.ask(
            "POST", "/v1/jobs",
            #"""
            {"defaults": {"preset": "low", "priority": 5},
             "jobs": [{"id": "a", "source": "https://a.example/a.mov"},
                      {"id": "b", "source": "https://a.example/b.mov", "presett": "low"},
                      {"id": "counts", "source": "https://a.example/c.mov"},
                      {"source": "/etc/passwd"}, 7]}
            """#)
        #expect(mixed.status == 200 && mixed.word("jobs.0.state") == "queued")
        #expect(mixed.word("jobs.1.error.hint") == "did you mean 'preset'?")
        #expect(mixed.word("jobs.2.error.message")?.contains("reserved") == true)
        #expect(mixed.word("jobs.3.error.code") == "pathNotAllowed")
        #expect(mixed.word("jobs.4.error.code") == "invalidJob")
        #expect(try trial.ask("GET", "/v1/jobs/a").number("priority") == 5)
        #expect(try trial.ask("GET", "/v1/jobs/b").status == 404)
        let deep = String(repeating: "[", count: 100_000)
        for bad in [
            "", "{", "[1,]", #"{"source": "a", "source": "b"}"#, "\"x\"", #"{"jobs": {}}"#,
            #"{"jobs": [], "job": 1}"#, "{} {}", deep, #"{"source": "\ud800"}"#, "nul",
        ] {
            let refused = try trial.ask(
                "POST", "/v1/jobs", bad, [("Content-Type", "application/json")])
            #expect(refused.status == 400, "\(bad.prefix(40)): \(refused.status) \(refused.text)")
        }
        let broken = try trial.ask(
            "POST", "/v1/jobs", bytes: Array(#"{"source": ""#.utf8) + [0xFF, 0x22, 0x7D],
            [("Content-Type", "application/json")])
        #expect(broken.status == 400)
        let form = try trial.ask(
            "POST", "/v1/jobs", #"{"source": "https://a.example/a.mov"}"#,
            [("Content-Type", "text/plain")])
        #expect(form.status == 415)
        let many = "[" + Array(repeating: "{}", count: 10_001).joined(separator: ",") + "]"
        #expect(try trial.ask("POST", "/v1/jobs", many).status == 400)
    }

    @Test("a key does a request once, also after a restart")
    func idempotency() throws {
        let trial = try JobTrial()
        let body = #"{"source": "\#(Self.address)", "id": "once"}"#
        let key = [("Idempotency-Key", "\"a \\\"key\\\"\"")]
        let first = try trial.ask("POST", "/v1/jobs", body, key)
        #expect(first.status == 201)
        _ = try trial.ask("DELETE", "/v1/jobs/once")
        try trial.restart()
        let again = try trial.ask("POST", "/v1/jobs", body, key)
        #expect(again.status == 201 && again.body == first.body)
        #expect(again.fields["location"] == first.fields["location"])
        // Nothing was done: the job is still cancelled.
        #expect(try trial.ask("GET", "/v1/jobs/once").word("state") == "cancelled")
        let other = try trial.ask("POST", "/v1/jobs", body + " ", key)
        #expect(other.status == 422 && other.word("code") == "keyReused")
        for bad in ["", "\"", "a b", "\"a\nb\"", String(repeating: "k", count: 256)]
        where !bad.contains("\n") {
            let refused = try trial.ask("POST", "/v1/jobs", body, [("Idempotency-Key", bad)])
            #expect(refused.status == 400 && refused.word("code") == "invalidKey", "\(bad)")
        }
        trial.tools.desk.keys.expire(now: WallClock.now() + 2 * IdempotencyKeys.seconds)
        #expect(try trial.ask("POST", "/v1/jobs", body, key).status == 201)
    }

    @Test(
        "a key is a token or a quoted string",
        arguments: [
            ("abc", "abc"), (" a:b/c ", "a:b/c"), ("\"a b\"", "a b"), (#""a\\b""#, #"a\b"#),
            ("\"\"", nil), ("\"a\\n\"", nil), ("\"a", nil), ("a\"", nil), ("é", nil), ("", nil),
        ] as [(String, String?)])
    func keys(_ text: String, _ key: String?) {
        #expect(IdempotencyKeys.key(text) == key)
    }

    @Test("a log is text that no browser runs")
    func logs() throws {
        let trial = try JobTrial()
        _ = try trial.ask("POST", "/v1/jobs", #"{"id": "a", "source": "\#(Self.address)"}"#)
        let log = try trial.ask("GET", "/v1/jobs/a/log")
        #expect(log.status == 200 && log.body.isEmpty)
        #expect(log.fields["content-type"] == "text/plain; charset=utf-8")
        #expect(log.fields["x-content-type-options"] == "nosniff")
        #expect(try trial.ask("GET", "/v1/jobs/b/log").status == 404)
    }
}

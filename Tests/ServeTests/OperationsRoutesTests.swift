import Foundation
import TakeupHTTP
import TakeupService
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Operations over HTTP")
struct OperationsRoutesTests {
    @Test("a server that can work says so, and one that cannot says what is missing")
    func health() throws {
        let trial = try JobTrial()
        let live = try trial.ask("GET", "/livez")
        #expect(live.status == 200 && live.text == "ok\n")
        let ready = try trial.ask("GET", "/readyz")
        #expect(ready.status == 200 && ready["ready"] as? Bool == true, "\(ready.text)")
        try FileManager.default.removeItem(atPath: trial.allowed)
        let missing = try trial.ask("GET", "/readyz")
        #expect(missing.status == 503 && missing.fields["retry-after"] != nil)
        let checks = try #require(missing["checks"] as? [[String: Any]])
        #expect(
            checks.filter { $0["ok"] as? Bool == false }.map { $0["name"] as? String } == [
                "folders"
            ])
        #expect(try trial.ask("GET", "/livez").status == 200)
    }

    @Test("metrics name no file, id or address, and count by routes")
    func metrics() throws {
        let trial = try JobTrial()
        _ = try trial.ask(
            "POST", "/v1/jobs", #"{"id": "secret-id", "source": "https://secret.example/a.mov"}"#)
        _ = try trial.ask("GET", "/v1/jobs/secret-id")
        _ = try trial.ask("GET", "/nothing/secret-path")
        _ = try trial.ask(
            "POST", "/v1/uploads?name=secret.mov", bytes: [1], [("Content-Type", "video/mp4")])
        let metrics = try trial.ask("GET", "/metrics")
        #expect(metrics.status == 200)
        #expect(metrics.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(metrics.text.contains(#"route="/v1/jobs/{id}""#))
        #expect(metrics.text.contains(#"takeup_uploads{state="complete"} 1"#))
        #expect(!metrics.text.contains("secret") && !metrics.text.contains("/tmp"))
    }

    @Test("status, workers and folders tell of the service")
    func reports() async throws {
        let trial = try JobTrial()
        trial.tools.desk.history.sample()
        trial.tools.desk.history.sample()
        let status = try trial.ask("GET", "/v1/status")
        #expect(status.status == 200 && status.number("queue.queued") == 0, "\(status.text)")
        #expect((status["history"] as? [Any])?.count == 2)
        let later = try trial.ask("GET", "/v1/status?since=2100-01-01T00:00:00Z")
        #expect((later["history"] as? [Any])?.isEmpty == true)
        let workers = try trial.ask("GET", "/v1/workers")
        #expect(workers.status == 200 && (workers["workers"] as? [Any])?.isEmpty == true)
        #expect((workers["registered"] as? [Any])?.isEmpty == true)
        let folders = try trial.ask("GET", "/v1/folders")
        #expect(folders.status == 200 && (folders["folders"] as? [Any])?.isEmpty == true)
        #expect(try trial.ask("GET", "/v1/workers?x=1").status == 400)
    }

    @Test("a home that is away accepts nothing and is not ready; all is well when it is back")
    func homeAway() throws {
        let trial = try JobTrial()
        try Data("film".utf8).write(to: URL(filePath: "\(trial.allowed)/a.mov"))
        let job = #"{"source": "\#(trial.allowed)/a.mov"}"#
        try FileManager.default.moveItem(
            atPath: trial.places.home, toPath: trial.directory.file("away"))
        let refused = try trial.ask("POST", "/v1/jobs", job)
        #expect(refused.status == 503 && refused.word("code") == "databaseGone")
        #expect(try trial.ask("GET", "/readyz").status == 503)
        try? FileManager.default.removeItem(atPath: trial.places.home)
        try FileManager.default.moveItem(
            atPath: trial.directory.file("away"), toPath: trial.places.home)
        #expect([200, 201].contains(try trial.ask("POST", "/v1/jobs", job).status))
    }

    @Test("a database that has stopped is 503, and the process lives")
    func outage() throws {
        let trial = try JobTrial()
        var tools = trial.tools
        tools = ServeTools(
            places: tools.places, queue: .broken, cache: tools.cache, sources: tools.sources,
            worker: nil, settings: tools.settings, log: .silent, wallClock: tools.wallClock,
            now: tools.now)
        let readiness = Readiness(tools)
        #expect(readiness.checks.first { $0.name == "database" }?.reason != nil)
        let routes = try JobTrial.routes(tools)
        for pattern in ["/v1/jobs", "/v1/jobs/counts", "/v1/jobs/{id}", "/v1/status"] {
            let route = try #require(routes.first { $0.method == "GET" && $0.pattern == pattern })
            let request = RoutedRequest(
                http: .init(method: "GET", target: "/"), parameters: ["id": "a"])
            guard case .answer(let response) = route.handle(request) else {
                Issue.record("no answer")
                continue
            }
            #expect(response.status == 503 && response.fields["Retry-After"] != nil)
        }
    }
}

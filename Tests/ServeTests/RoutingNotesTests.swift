import TakeupHTTP
import TakeupLanes
import TakeupModel
import TakeupTelemetry
import Testing

@testable import TakeupServe

@Suite("Notes of requests")
struct RoutingNotesTests {
    private static func exchange(_ method: String, _ target: String, _ status: Int)
        -> ExchangeRecord
    {
        ExchangeRecord(
            request: HTTPRequest(id: "01", method: method, target: target, peer: "192.0.2.7"),
            status: status, responseFields: HTTPFields([("Cache-Status", "takeup; hit")]),
            receivedBytes: 3, sentBytes: 10, seconds: 0.25, firstByteSeconds: 0.004)
    }

    private static let routes = [
        Route("GET", "/p/{rest...}", .anyone) { _ in .answer(HTTPResponse(200)) },
        Route("GET", "/v1/jobs/{id}", .read) { _ in .answer(HTTPResponse(200)) },
    ]

    private static func note(_ exchange: ExchangeRecord) throws -> (line: String, metrics: String) {
        let lines = Locked<[LogRecord]>([])
        let log = Log(threshold: .info) { record in lines.withLock { $0.append(record) } }
        let figures = RequestFigures()
        let access = try AccessGuard(
            AccessRules(listeners: [.tcp(host: "127.0.0.1", port: 1)]), log: log, now: { 0 })
        let handler = RoutedHandler(routes, access: access, log: log, figures: figures)
        _ = handler.plan(for: exchange.request)
        handler.note(exchange)
        var metrics = Metrics()
        figures.add(to: &metrics)
        let all = lines.withLock { $0 }
        #expect(all.count == 1)
        return (all.first?.text ?? "", MetricsText(metrics).description)
    }

    @Test("say what happened on one line")
    func line() throws {
        let (line, metrics) = try Self.note(Self.exchange("GET", "/v1/jobs/a%0Ab?state=done", 200))
        #expect(
            line == "request id=01 peer=192.0.2.7 method=GET target=/v1/jobs/a%0Ab?state status=200"
                + " received=3 sent=10 seconds=0.25 firstByte=0.004 cache=\"takeup; hit\"")
        #expect(
            metrics.contains(
                #"takeup_http_requests_total{route="/v1/jobs/{id}",method="GET",status="2xx"} 1"#))
        #expect(metrics.contains("takeup_http_requests_in_flight 0\n"))
        #expect(metrics.contains("takeup_http_sent_bytes_total 10\n"))
        #expect(
            metrics.contains(
                #"takeup_http_first_byte_seconds_bucket{route="/v1/jobs/{id}",le="0.005"} 1"#))
        #expect(
            metrics.contains(
                #"takeup_http_request_seconds_bucket{route="/v1/jobs/{id}",le="0.1"} 0"#))
    }

    @Test(
        "hold no secret, wherever an address has it",
        arguments: [
            "/p/SECRET/name.mp4?token=SECRET", "/p/SECRET", "/v1/jobs/a?sig=SECRET&key=SECRET",
            "/none?SECRET", "/v1/jobs/%?SECRET", "/p/SECRET/%zz", "//p/SECRET", "/P/SECRET/a.mp4",
            "/x/p/SECRET", "/%70/SECRETSECRETSECRETSECRETSECRETSECRETSECRETS/a.mp4",
        ])
    func secrets(target: String) throws {
        for method in ["GET", "HEAD", "OPTIONS", "POST", "BREW"] {
            let (line, metrics) = try Self.note(Self.exchange(method, target, 404))
            #expect(!line.contains("SECRET") && !metrics.contains("SECRET"), "\(method)")
        }
    }

    @Test("say what was asked for in vain")
    func unknown() throws {
        for (target, shown) in [("/x/y", "/x/y"), ("/x//p/a", "/x//p/..."), ("/p", "/p")] {
            #expect(try Self.note(Self.exchange("GET", target, 404)).line.contains("=\(shown) "))
        }
    }

    @Test("count an unknown method and a broken exchange as such")
    func others() throws {
        var exchange = Self.exchange("BREW\u{7}", "/x", 0)
        exchange.isComplete = false
        let (line, metrics) = try Self.note(exchange)
        #expect(line.contains("broken=1"))
        #expect(metrics.contains(#"{route="none",method="other",status="none"} 1"#))
        #expect(metrics.contains("takeup_http_broken_responses_total 1\n"))
    }

    @Test(
        "of failures have the status that belongs to their exit code",
        arguments: [
            (ExitCode.usage, 400), (.notMedia, 422), (.inputMissing, 404), (.unavailable, 503),
            (.internalError, 500), (.outputNotCreated, 409), (.inputOutput, 500), (.temporary, 503),
            (.verificationFailed, 500), (.notPermitted, 403), (.configuration, 500),
        ])
    func problems(exitCode: ExitCode, status: Int) {
        let failure = Failure(
            exitCode: exitCode, code: "c", stage: "s", message: "m \"q\"", hint: "h")
        let response = Problem.response(failure, instance: "id")
        #expect(response.status == status)
        #expect((response.fields["Retry-After"] != nil) == (status == 503))
        guard case .bytes(let bytes) = response.body else {
            Issue.record("no body")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(
            text.contains(#""detail":"m \"q\"","code":"c","stage":"s","hint":"h","exitCode":"#))
        #expect(text.contains(#""exitCode":\#(exitCode.rawValue),"instance":"id""#))
        let full = Failure(code: "d", stage: "s", message: "", hint: "", ending: .diskFull)
        #expect(Problem.response(full, instance: "").status == 507)
    }
}

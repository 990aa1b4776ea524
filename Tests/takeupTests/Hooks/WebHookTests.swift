import Foundation
import TakeupCurl
@testable import TakeupHooks
import TakeupLanes
import TakeupWatch
import TestSupport
import Testing

@testable import takeup

@Suite("Web hook")
struct WebHookTests {
    private func deliver(
        _ trial: borrowing HookTrial, to url: String, secretFile: String? = nil,
        timeoutSeconds: Double = 60, stop: TransferCancellation = TransferCancellation()
    ) throws -> HookAnswer {
        let hook = try Hook(.web(url: url, secretFile: secretFile))
        try trial.record(.done, "ä \"\n.mov", to: [hook])
        let message = try #require(try trial.message(hook))
        let now = trial.now
        let web = try WebHook(
            url, secretFile: secretFile, timeoutSeconds: timeoutSeconds, now: { now })
        return web.deliver(message, until: stop)
    }

    @Test("posts the event, with what it is and a signature that others can check")
    func posts() throws {
        let trial = try HookTrial()
        let receiver = try HookReceiver { _ in HookReceiver.status(204) }
        let secret = try trial.directory.write(Data("top secret \u{e9}\n".utf8), to: "key")
        #expect(try deliver(trial, to: receiver.url, secretFile: secret) == .delivered)
        let request = try #require(receiver.requests.first)
        #expect(request.line == "POST /hook HTTP/1.1")
        #expect(request.fields["content-type"] == "application/json")
        #expect(request.fields["takeup-event"] == "watch.done")
        #expect(request.fields["webhook-timestamp"] == "1700000000")
        let event = try JSONDecoder().decode(HookEvent.self, from: Data(request.body.utf8))
        #expect(request.fields["webhook-id"] == event.id && event.path == "ä \"\n.mov")
        let signature = try #require(request.fields["webhook-signature"])
        #expect(try signature == pythonSignature(request, secretFile: secret))
    }

    /// What another implementation makes of the same request.
    private func pythonSignature(
        _ request: HookReceiver.Received, secretFile: String
    ) throws -> String {
        let script = """
            import base64, hashlib, hmac, os, sys
            key = open(sys.argv[1], 'rb').read().rstrip(b'\\n')
            parts = [os.environb[name] for name in (b'ID', b'TIME', b'BODY')]
            code = hmac.new(key, b'.'.join(parts), hashlib.sha256).digest()
            print('v1,' + base64.b64encode(code).decode(), end='')
            """
        let outcome = try Subprocess.run(
            "python3", ["-c", script, secretFile],
            environment: [
                "ID": request.fields["webhook-id"] ?? "",
                "TIME": request.fields["webhook-timestamp"] ?? "", "BODY": request.body,
            ])
        return String(decoding: outcome.standardOutput, as: UTF8.self)
    }

    @Test("signs as Standard Webhooks' own example is signed")
    func standard() throws {
        let secret = try HookSecret(
            Array("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n".utf8), from: "key")
        let signature = try secret.signature(
            of: Array(#"{"test": 2432232314}"#.utf8), id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            seconds: "1614265330")
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("an unsigned one has no signature")
    func unsigned() throws {
        let trial = try HookTrial()
        let receiver = try HookReceiver { _ in HookReceiver.status(200) }
        #expect(try deliver(trial, to: receiver.url) == .delivered)
        #expect(receiver.requests.first?.fields["webhook-signature"] == nil)
    }

    @Test(
        "tells apart what is over, what is gone and what is to be tried again",
        arguments: [
            (200, "", "delivered"), (299, "", "delivered"), (410, "", "refused"),
            (301, "Location: /else\r\n", "failed"), (400, "", "failed"), (500, "", "failed"),
            (429, "Retry-After: 90\r\n", "failed 90.0"),
            (503, "Retry-After: 99999\r\n", "failed 3600.0"),
            (503, "Retry-After: Tue, 14 Nov 2023 22:14:20 GMT\r\n", "failed 60.0"),
        ])
    func statuses(status: Int, fields: String, expected: String) throws {
        let trial = try HookTrial()
        let receiver = try HookReceiver { _ in HookReceiver.status(status, fields) }
        let words =
            switch try deliver(trial, to: receiver.url) {
            case .delivered: "delivered"
            case .refused: "refused"
            case .failed(_, let seconds): "failed" + (seconds.map { " \($0)" } ?? "")
            case .stopped: "stopped"
            }
        #expect(words == expected)
        #expect(receiver.requests.count == 1)
    }

    @Test("an answer that is too long, or cut, still is one")
    func longAnswer() throws {
        let trial = try HookTrial()
        let long = try HookReceiver { _ in
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(repeating: "x", count: 1 << 20)
        }
        #expect(try deliver(trial, to: long.url) == .delivered)
        let cut = try HookReceiver { _ in
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nx"
        }
        #expect(try deliver(trial, to: cut.url) == .delivered)
    }

    @Test("a name without an address is told each time, and keeps no event back once it has one")
    func noAddress() throws {
        let trial = try HookTrial()
        let hook = try Hook(.web(url: "http://nothing.invalid/", secretFile: nil))
        try trial.record(.done, "a.mov", to: [hook])
        let message = try #require(try trial.message(hook))
        let web = try WebHook(
            "http://nothing.invalid/", secretFile: nil, timeoutSeconds: 60, now: { 0 })
        for _ in 0..<3 {
            let answer = web.deliver(message, until: TransferCancellation())
            #expect(answer == .failed("the name has no address"))
        }
    }

    @Test("one that does not answer in its time, or at all, is tried again; a stop ends the wait")
    func silence() throws {
        let trial = try HookTrial()
        let silent = try HookReceiver { _ in nil }
        guard
            case .failed(let reason, nil) = try deliver(
                trial, to: silent.url, timeoutSeconds: 1)
        else {
            Issue.record("it was delivered")
            return
        }
        #expect(reason.contains("no answer in time"))
        let stop = TransferCancellation()
        Thread.detachNewThread {
            usleep(200_000)
            stop.cancel()
        }
        #expect(try deliver(trial, to: silent.url, stop: stop) == .stopped)
        let port = try HookReceiver { _ in nil }.port
        guard case .failed = try deliver(trial, to: "http://127.0.0.1:\(port)/") else {
            Issue.record("nobody can have taken it")
            return
        }
    }

    @Test("a secret that cannot be read or is none sends nothing")
    func secrets() throws {
        let trial = try HookTrial()
        let receiver = try HookReceiver { _ in HookReceiver.status(200) }
        let files = [
            trial.directory.file("missing"), trial.directory.path,
            try trial.directory.write(Data("\n".utf8), to: "empty"),
            try trial.directory.write(Data("whsec_!".utf8), to: "broken"),
            try trial.directory.write(Data(count: HookSecret.mostBytes + 1), to: "large"),
        ]
        for file in files {
            guard
                case .failed(let reason, nil) = try deliver(
                    trial, to: receiver.url, secretFile: file)
            else {
                Issue.record("\(file) was used")
                continue
            }
            #expect(reason.contains("secret"))
        }
        #expect(receiver.requests.isEmpty)
    }
}

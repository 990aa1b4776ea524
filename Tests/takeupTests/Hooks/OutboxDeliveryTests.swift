import Foundation
import TakeupCurl
@testable import TakeupHooks
import TakeupLanes
import TakeupSQL
import TakeupSQLite
import TakeupTelemetry
import TakeupWatch
import TestSupport
import Testing

@testable import takeup

@Suite("Hook delivery")
struct OutboxDeliveryTests {
    /// Lines of a log.
    private final class Lines: Sendable {
        private let lines = Locked<[String]>([])

        var log: Log {
            Log(threshold: .debug) { [lines] record in
                lines.withLock { $0.append("\(record.level) \(record.text)") }
            }
        }

        var all: [String] { lines.withLock { $0 } }
    }

    /// What a busy machine may take.
    private static let mostSeconds = 900.0

    private func wait(_ words: String, until isSo: () throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(Self.mostSeconds)
        while try !isSo() {
            try #require(ContinuousClock.now < end, "not \(words) in time")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// A hook on an address, with its line over real connections at the trial's time.
    private func line(
        _ trial: borrowing HookTrial, port: UInt16, secret: String
    ) throws -> (Hook, OutboxDispatcher) {
        let url = "http://127.0.0.1:\(port)/hook"
        let time = trial.time
        let web = try WebHook(
            url, secretFile: secret, timeoutSeconds: 30, now: { time.withLock { $0 } })
        let hook = try Hook(.web(url: url, secretFile: secret))
        let duties = OutboxDispatcher.Duties(
            deliver: { web.deliver($0, until: .init()) }, random: { 0.5 }, tell: { _ in })
        return (hook, OutboxDispatcher(hook, of: ["/in"], in: trial.ledger, duties: duties))
    }

    @Test(
        "a receiver that is down, then broken, then well gets all, in order, signed, under one id")
    func outage() throws {
        let trial = try HookTrial()
        let port = try HookReceiver { _ in nil }.port
        let secret = try trial.directory.write(Data("key".utf8), to: "key")
        let (hook, line) = try line(trial, port: port, secret: secret)
        for job in 0..<10 {
            try trial.record(.queued, "\(job).mov", job: "\(job)", to: [hook])
            try trial.record(.done, "\(job).mov", job: "\(job)", to: [hook])
        }
        let began = trial.now
        while trial.now < began + 600 { trial.wait(max(0.1, line.step())) }
        let receiver = try HookReceiver(port: port) { [time = trial.time] _ in
            HookReceiver.status(time.withLock { $0 } < began + 900 ? 500 : 200)
        }
        while try trial.message(hook) != nil, trial.now < began + 10_000 {
            trial.wait(max(0.1, line.step()))
        }
        let events = try receiver.requests.map { try TriedEvent($0) }
        let delivered = events.filter { $0.seconds >= began + 900 }.map(\.event)
        #expect(delivered.count == 20 && events.count > 20)
        for job in 0..<10 {
            #expect(delivered.filter { $0.job == "\(job)" }.map(\.name) == [.queued, .done])
        }
        #expect(Set(events.map(\.event.id)).count == 20)
    }

    /// A request that came, whose id and signature were looked at.
    private struct TriedEvent {
        let event: HookEvent
        let seconds: Double

        init(_ request: HookReceiver.Received) throws {
            event = try JSONDecoder().decode(HookEvent.self, from: Data(request.body.utf8))
            let stamp = try #require(request.fields["webhook-timestamp"])
            seconds = try #require(Double(stamp))
            let signature = try HookSecret(Array("key".utf8), from: "").signature(
                of: Array(request.body.utf8), id: event.id, seconds: stamp)
            #expect(request.fields["webhook-id"] == event.id)
            #expect(request.fields["webhook-signature"] == signature)
        }
    }

    @Test(
        "what is recorded is told at once; a hook that hangs delays nobody else, and a stop ends it"
    )
    func lanes() async throws {
        let trial = try HookTrial()
        let told = trial.directory.file("told")
        let quick = try Hook(.command(["sh", "-c", "cat >> \"$0\"", told]))
        let stuck = try Hook(.command(["sleep", "600"]), timeoutSeconds: 600)
        let lines = Lines()
        let delivery = OutboxDelivery(
            [stuck, quick], of: ["/in"], in: trial.ledger,
            environment: ["PATH": "/usr/bin:/bin"], log: lines.log)
        let stop = Cancellation()
        let running = Task { await delivery.run(until: stop) }
        try trial.record(.queued, to: [stuck, quick])
        delivery.wake()
        try await wait("told") { try trial.message(quick) == nil }
        try trial.record(.done, to: [stuck, quick])
        delivery.wake()
        try await wait("told") { try trial.message(quick) == nil }
        let names = try trial.text("told").split(separator: "\n").map {
            try JSONDecoder().decode(HookEvent.self, from: Data($0.utf8)).name
        }
        #expect(names == [.queued, .done])
        // The one that hangs was not tried in vain.
        await delivery.settle(withinSeconds: 0.2)
        #expect(try trial.ledger.untriedMessages(to: [stuck, quick], of: ["/in"]) == 2)
        stop.cancel()
        await running.value
        #expect(try trial.message(stuck)?.tries == 0)
        #expect(lines.all.filter { $0.contains("was told") }.count == 2)
    }

    @Test("drops what waits for hooks that are not set any more, and says so")
    func reload() async throws {
        let trial = try HookTrial()
        let removed = try Hook(.command(["false"]))
        let kept = try Hook(.command(["true"]))
        try trial.record(.queued, to: [removed, kept])
        let lines = Lines()
        let delivery = OutboxDelivery(
            [kept], of: ["/in"], in: trial.ledger, environment: [:], log: lines.log)
        let stop = Cancellation()
        let running = Task { await delivery.run(until: stop) }
        await delivery.settle(withinSeconds: Self.mostSeconds)
        try await wait("dropped") { try trial.message(removed) == nil }
        stop.cancel()
        await running.value
        #expect(try trial.message(kept) == nil)
        #expect(lines.all.contains { $0.contains("1 events for hooks that are no longer set") })
    }

    @Test("says why a hook could not be told, and when it is tried again")
    func failures() async throws {
        let trial = try HookTrial()
        let hook = try Hook(
            name: "chat", .command(["sh", "-c", "echo no route; exit 1"]), timeoutSeconds: 600)
        try trial.record(.queued, to: [hook])
        let lines = Lines()
        let delivery = OutboxDelivery(
            [hook], of: ["/in"], in: trial.ledger, environment: [:], log: lines.log)
        let stop = Cancellation()
        let running = Task { await delivery.run(until: stop) }
        await delivery.settle(withinSeconds: Self.mostSeconds)
        stop.cancel()
        await running.value
        #expect(try trial.message(hook)?.tries == 1)
        let line = try #require(lines.all.first)
        #expect(line.contains("hook chat is told again in 5 s: it ended with 1: no route"))
    }

    @Test("an address's path and query, which may be secrets, are neither in the log nor the table")
    func secretAddress() async throws {
        let trial = try HookTrial()
        // Nobody listens on the first port; one that was just closed may be another test's by now.
        let closed: UInt16 = 1
        let broken = try HookReceiver { _ in HookReceiver.status(500) }
        let gone = try HookReceiver { _ in HookReceiver.status(410) }
        let hooks = try [closed, broken.port, gone.port].map { port in
            try Hook(
                .web(url: "http://127.0.0.1:\(port)/T0P/s3cret?key=hush", secretFile: nil))
        }
        try trial.record(.queued, to: hooks)
        let lines = Lines()
        let delivery = OutboxDelivery(
            hooks, of: ["/in"], in: trial.ledger, environment: [:], log: lines.log)
        let stop = Cancellation()
        let running = Task { await delivery.run(until: stop) }
        await delivery.settle(withinSeconds: Self.mostSeconds)
        try await wait("in the log") { lines.all.count >= 3 }
        stop.cancel()
        await running.value
        let connection = try SQLiteConnection(
            path: trial.directory.file("state.db"), durability: .normal)
        let reasons = try connection.query("SELECT reason FROM watch_hook ORDER BY 1", []) {
            $0.text(0)
        }
        #expect(reasons == ["it answered 500", "no connection"])
        for text in lines.all + reasons {
            #expect(!["s3cret", "T0P", "hush"].contains { text.contains($0) }, "\(text)")
        }
    }
}

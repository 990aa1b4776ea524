import Foundation
@testable import TakeupIngest
import TakeupJobs
import TakeupModel
import TakeupLanes
import TakeupService
import TakeupTelemetry
import TakeupWatch
import TestSupport
import Testing

@testable import TakeupDaemon
@testable import takeup

@Suite("Daemon")
struct DaemonTests {
    /// A worker that notes what it is told, and is as alive as the test says.
    private final class Puppet: Sendable {
        let told = Locked<[String]>([])
        let isClaiming = Locked(false)
        let isAlive = Locked(true)

        var access: WorkerAccess {
            WorkerAccess(
                start: {}, events: { AsyncStream { $0.finish() } }, drain: {}, stop: {},
                finished: {},
                suspend: { reason, returnsRunning in
                    self.told.withLock { $0.append("\(reason), \(returnsRunning)") }
                },
                resume: { self.told.withLock { $0.append("resume") } },
                isClaiming: { self.isClaiming.withLock { $0 } },
                isAlive: { _ in self.isAlive.withLock { $0 } })
        }

        /// Waits until so much was told.
        func wait(for count: Int) async -> [String] {
            for _ in 0..<12_000 where told.withLock({ $0.count }) < count {
                try? await Task.sleep(for: .milliseconds(10))
            }
            return told.withLock { $0 }
        }
    }

    private final class Bench {
        let queue: QueueBench
        let puppet = Puppet()
        let directory: TemporaryDirectory
        let manager: NotifySocket
        let wall = Locked(0.0)
        let daemon: Daemon

        /// Noon of a Monday.
        init(_ line: String = "", watchdog: String? = nil) throws {
            queue = try QueueBench()
            directory = try TemporaryDirectory()
            manager = try NotifySocket(directory.file("notify"))
            var context = queue.context(worker: nil)
            let began = ContinuousClock.now
            context.now = { (ContinuousClock.now - began) / .seconds(1) }
            wall.withLock { $0 = 1_793_620_800 }
            context.wallClock = { [wall] in wall.withLock { $0 } }
            context.environment["NOTIFY_SOCKET"] = directory.file("notify")
            context.environment["WATCHDOG_USEC"] = watchdog
            let words = line.split(separator: " ").map(String.init)
            let invocation = try ArgumentReader(["worker"] + words, table: CommandTable.root).read()
            let settings = try Settings(
                options: CommandTable.commonOptions + invocation.command.options,
                flags: invocation.options, environment: [:], configuration: nil)
            let options = try WorkerOptions(
                CommandInput(
                    path: ["worker"], arguments: [], settings: settings, invocation: invocation))
            daemon = Daemon(options, queue.places, .silent, in: context, zone: { .gmt })
        }

        /// Runs `body` as what the daemon tells of.
        func run(_ body: () async throws -> Void) async throws {
            var failure: (any Error)?
            _ = try await daemon.run { () async throws(Failure) in
                do { try await body() } catch { failure = error }
                return ExitCode.success
            }
            if let failure { throw failure }
        }
    }

    @Test("ready once the worker claims and each folder was looked through; folders come and go")
    func ready() async throws {
        let bench = try Bench()
        try await bench.run {
            bench.daemon.attach(bench.puppet.access, bench.queue.access)
            let gauges = ["/a", "/b"].map { WatchGauge(folder: $0, output: nil, now: 0) }
            bench.daemon.watch(gauges)
            bench.daemon.arm()
            bench.puppet.isClaiming.withLock { $0 = true }
            gauges[0].step(now: 0, WatchFigures(isAvailable: true, hasScanned: true))
            let half = bench.manager.wait(for: "STATUS=starting, 1 of 2 folders looked through")
            #expect(half != nil && half?.contains("READY=1") == false)
            gauges[1].step(now: 0, WatchFigures())
            let ready = bench.manager.wait(for: "READY=1")
            #expect(ready?.contains { $0.hasSuffix(", 2 folders, 1 not there") } == true)
            bench.daemon.reloading()
            let reloading = bench.manager.wait(for: "RELOADING=1")
            #expect(reloading?.last?.hasPrefix("MONOTONIC_USEC=") == true)
            bench.daemon.watch([WatchGauge(folder: "/c", output: nil, now: 0)])
            bench.daemon.reloaded()
            #expect(bench.manager.wait(for: "READY=1") != nil)
            #expect(bench.manager.wait(for: "STATUS=0 running, 0 queued, 1 folder") != nil)
        }
        #expect(bench.manager.wait(for: "STOPPING=1") != nil)
    }

    @Test("the watchdog is not fed while the worker is stuck")
    func watchdog() async throws {
        let bench = try Bench(watchdog: "1000000")
        try await bench.run {
            bench.daemon.attach(bench.puppet.access, bench.queue.access)
            bench.daemon.arm()
            bench.puppet.isClaiming.withLock { $0 = true }
            #expect(bench.manager.wait(for: "WATCHDOG=1") != nil)
            bench.puppet.isAlive.withLock { $0 = false }
            // Some may be unread or under way; then six intervals are silent.
            var pings = 0
            while pings < 20, let lines = bench.manager.receive(seconds: 3) {
                pings += lines.contains("WATCHDOG=1") ? 1 : 0
            }
            #expect(pings < 20)
            bench.puppet.isAlive.withLock { $0 = true }
            #expect(bench.manager.wait(for: "WATCHDOG=1") != nil)
        }
    }

    @Test("hours suspend before anything is started, and each turn of them is kept")
    func hours() async throws {
        let bench = try Bench("--hours 22:00-06:00 --when-closed checkpoint")
        try await bench.run {
            bench.daemon.attach(bench.puppet.access, bench.queue.access)
            #expect(bench.puppet.told.withLock { $0 } == ["closed until 22:00, true"])
            bench.daemon.arm()
            bench.puppet.isClaiming.withLock { $0 = true }
            #expect(
                bench.manager.wait(for: "STATUS=0 running, 0 queued, closed until 22:00") != nil)
            bench.wall.withLock { $0 += 10 * 3600 }
            #expect(await bench.puppet.wait(for: 2).last == "resume")
            bench.wall.withLock { $0 += 8 * 3600 }
            #expect(await bench.puppet.wait(for: 3).last == "closed until 22:00, true")
        }
    }

    @Test("metrics are there at the end, and a file that cannot be written ends nothing")
    func metrics() async throws {
        let bench = try Bench("--metrics-file m.prom")
        _ = try bench.queue.store.submit([
            JobSpec(
                id: JobID(rawValue: "a"),
                ExportRequest(
                    Composition(joining: ["/a.mov"]),
                    preset: ExportPreset.sound(named: "p")))
        ])
        try await bench.run {
            bench.daemon.attach(bench.puppet.access, bench.queue.access)
        }
        let text = try String(
            contentsOfFile: "\(bench.queue.bench.folder)/m.prom", encoding: .utf8)
        let lint = try MetricsLint(text)
        #expect(lint.values[#"takeup_jobs{state="queued"}"#] == 1)
        #expect(lint.values["takeup_cache_entries"] == 0)
        #expect(lint.values["takeup_alive"] == 1 && lint.commands == ["worker"])
        #expect(lint.values.keys.contains { $0.hasPrefix("takeup_free_bytes") })
        #expect(!text.contains(".mov"))
        let bad = try Bench("--metrics-file none/m.prom")
        try await bad.run {}
    }

    @Test("metrics of watched folders say what waits besides jobs")
    func backlog() async throws {
        let bench = try Bench("--metrics-file m.prom")
        let ledger = try bench.queue.places.openLedger { 0 }
        for folder in ["/in", "/elsewhere"] { try ledger.noteWaitingAction(in: folder) }
        try await bench.run {
            let gauge = WatchGauge(folder: "/in", output: nil, now: 0)
            gauge.step(now: 0, WatchFigures())
            bench.daemon.watch([gauge])
        }
        let text = try String(
            contentsOfFile: "\(bench.queue.bench.folder)/m.prom", encoding: .utf8)
        let lint = try MetricsLint(text)
        #expect(lint.values[#"takeup_watch_actions_waiting{folder="/in"}"#] == 1)
        #expect(lint.values["takeup_hook_events_waiting"] == 0)
        #expect(!text.contains("elsewhere"))
    }

    @Test("metrics say that something is stuck")
    func stuck() async throws {
        let bench = try Bench("--metrics-file m.prom")
        try await bench.run {
            bench.puppet.isClaiming.withLock { $0 = true }
            bench.puppet.isAlive.withLock { $0 = false }
            bench.daemon.attach(bench.puppet.access, bench.queue.access)
        }
        let text = try String(
            contentsOfFile: "\(bench.queue.bench.folder)/m.prom", encoding: .utf8)
        #expect(text.contains("\ntakeup_alive{command=\"worker\"} 0\n"))
    }

    @Test("what cannot be hours is refused", arguments: ["25:00-26:00", "22:00", "day 1:00-2:00"])
    func refused(text: String) async throws {
        let queue = try QueueBench()
        let words = ["worker", "--hours", text, "--home", "home"]
        #expect(await Program.run(words, in: queue.context()) == .usage)
        let closing = ["worker", "--when-closed", "burn", "--home", "home"]
        #expect(await Program.run(closing, in: queue.context()) == .usage)
    }
}

import Foundation
import TestSupport
import Testing

/// The program under a socket that plays systemd.
@Suite("Daemon program")
struct DaemonProgramTests {
    private final class Bench {
        let directory: TemporaryDirectory
        let manager: NotifySocket

        init() throws {
            directory = try TemporaryDirectory()
            manager = try NotifySocket(directory.file("notify"))
            for name in ["in", "home"] {
                try FileManager.default.createDirectory(
                    atPath: directory.file(name), withIntermediateDirectories: true)
            }
        }

        func start(_ words: String, _ more: [String: String] = [:]) throws -> Subprocess {
            let environment = [
                "TAKEUP_HOME": directory.file("home"), "TAKEUP_CACHE": directory.file("cache"),
                "NOTIFY_SOCKET": directory.file("notify"), "TZ": "UTC",
            ]
            return try Subprocess(
                BuiltProduct.path(of: "takeup"), words.split(separator: " ").map(String.init),
                environment: environment.merging(more) { _, new in new },
                directory: directory.path)
        }

        func put(_ name: String, seconds: Int = 1) throws {
            try FileManager.default.copyItem(
                atPath: try Clip.base(seconds: seconds).path, toPath: directory.file(name))
        }

        func submit(_ name: String) throws {
            let outcome = try start("submit \(name) --id \(name)").wait()
            _ = try outcome.requireSuccess()
        }

        /// Seconds until no message with such a line comes any more for `silence`, from now.
        func secondsToSilence(of line: String, _ silence: Double) -> Double {
            let began = ContinuousClock.now
            var last = began
            while ContinuousClock.now - last < .seconds(silence),
                ContinuousClock.now - began < .seconds(120)
            {
                guard let lines = manager.receive(seconds: 0.1), lines.contains(line) else {
                    continue
                }
                last = .now
            }
            return (last - began) / .seconds(1)
        }
    }

    @Test("a watch is ready once it has looked through its folder, tells what it does, and drains")
    func watch() throws {
        let bench = try Bench()
        try bench.put("in/a.mov")
        let words = "watch in -o out --stable 0.2s --scan 1s --metrics-file m.prom"
        var program = try bench.start(words, ["WATCHDOG_USEC": "4000000"])
        let ready = bench.manager.wait(for: "READY=1")
        #expect(ready?.contains { $0.hasPrefix("STATUS=") } == true)
        #expect(bench.manager.wait(for: "WATCHDOG=1") != nil)
        let isDone = program.waitForOutput(containing: "a.mov is done")
        #expect(isDone)
        #expect(bench.manager.wait(for: "STATUS=0 running, 0 queued, 1 folder") != nil)
        program.signal(SIGTERM)
        let stopping = bench.manager.wait(for: "STOPPING=1")
        #expect(stopping?.contains("EXTEND_TIMEOUT_USEC=20000000") == true)
        #expect(program.wait().exitCode == 143)
        let text = try String(contentsOfFile: bench.directory.file("m.prom"), encoding: .utf8)
        let lint = try MetricsLint(text)
        #expect(lint.values[#"takeup_jobs_ended_total{outcome="succeeded"}"#] == 1)
        #expect((lint.values["takeup_export_media_seconds_total"] ?? 0) > 0.5)
        #expect((lint.values["takeup_source_bytes_total"] ?? 0) > 1000)
        #expect(!text.contains("a.mov"))
    }

    @Test("the watchdog goes hungry within one interval of a claim loop that hangs")
    func wedged() throws {
        let bench = try Bench()
        let program = try bench.start(
            "worker --workers 2",
            ["WATCHDOG_USEC": "4000000", "TAKEUP_FAILPOINT": "afterJob:hang"])
        #expect(bench.manager.wait(for: "READY=1") != nil)
        #expect(bench.manager.wait(for: "WATCHDOG=1") != nil)
        #expect(bench.manager.wait(for: "WATCHDOG=1") != nil)
        try bench.put("b.mov")
        // It is answered by one lane, which then hangs; the other one goes on looking.
        try bench.submit("b.mov")
        var state = ""
        while !state.contains("succeeded") {
            state = try bench.start("jobs list --state succeeded --json").wait().outputText
        }
        #expect(bench.secondsToSilence(of: "WATCHDOG=1", 10) <= 4)
        program.signal(SIGKILL)
        #expect(program.wait().signal == SIGKILL)
    }

    @Test("a drain that takes long is given time again and again, and the watchdog is still fed")
    func drains() throws {
        let bench = try Bench()
        try bench.put("c.mov")
        let program = try bench.start(
            "worker --drain 14s",
            [
                "WATCHDOG_USEC": "4000000", "TAKEUP_HELPER_FAULTS": "1",
            ])
        #expect(bench.manager.wait(for: "READY=1") != nil)
        _ = try bench.start("submit c.mov --id c --metadata comment=takeup-fault:hang").wait()
            .requireSuccess()
        #expect(bench.manager.wait(for: "STATUS=1 running") != nil)
        program.signal(SIGTERM)
        #expect(
            bench.manager.wait(for: "STOPPING=1")?.contains("EXTEND_TIMEOUT_USEC=20000000") == true)
        #expect(bench.manager.wait(for: "STATUS=stopping, 1 running") != nil)
        #expect(bench.manager.wait(for: "EXTEND_TIMEOUT_USEC=") != nil)
        #expect(bench.manager.wait(for: "WATCHDOG=1") != nil)
        #expect(bench.manager.wait(for: "EXTEND_TIMEOUT_USEC=") != nil)
        #expect(program.wait().exitCode == 143)
    }

    @Test("outside of its hours a worker starts nothing, and ends when it is asked to")
    func closed() throws {
        let bench = try Bench()
        try bench.put("d.mov")
        try bench.submit("d.mov")
        let hour = Int(Date().timeIntervalSince1970 / 3600) % 24
        // Two to four hours from now: closed however long this takes.
        let window = [hour + 2, hour + 4].map { String(format: "%02d:00", $0 % 24) }
        var program = try bench.start("worker --once --hours \(window[0])-\(window[1])")
        let isClosed = program.waitForOutput(containing: "closed until \(window[0])")
        #expect(isClosed)
        let status = bench.manager.wait(
            for: "STATUS=0 running, 1 queued, closed until \(window[0])")
        #expect(status != nil)
        program.signal(SIGTERM)
        let ended = program.wait()
        #expect(ended.exitCode == 143 && !ended.errorText.contains("started job="))
    }
}

@testable import TakeupIngest
import TakeupJobs
import TakeupTelemetry
import TakeupWatch
import TakeupWorker
import Testing

@testable import TakeupDaemon
@testable import TakeupService
@testable import takeup

@Suite("DaemonFigures")
struct DaemonFiguresTests {
    private func figures() -> DaemonFigures {
        var figures = DaemonFigures()
        figures.version = "1.2.3"
        figures.depth = QueueDepth()
        figures.depth?.queued = 41
        figures.depth?.oldestSeconds = 12.5
        figures.counts = [.succeeded: 7, .queued: 40]
        figures.worker.running = 3
        figures.worker.ended = [.succeeded: 5, .scheduled: 2, .queued: 1]
        (figures.worker.claims, figures.worker.claimSeconds) = (8, 0.25)
        figures.cache = CacheFigures(
            entries: 1, bytes: 2, hits: 3, misses: 4, bytesSaved: 5, evictions: 6, exports: 7,
            retries: 8, speed: nil, freeBytes: 9)
        let watch = WatchFigures(isAvailable: true, waiting: 4, scanSeconds: 0.5, overflows: 1)
        figures.folders = [
            .init(path: "/in \"a\"", figures: watch), .init(path: "/b", figures: WatchFigures()),
        ]
        figures.backlog = WatchBacklog(actions: ["/b": 3], hookEvents: 2)
        figures.free = [
            .init(folder: "/cache", use: "cache", bytes: 100),
            .init(folder: "/out", use: "output", bytes: 200),
        ]
        figures.isAlive = false
        figures.process = .current()
        return figures
    }

    private func lint(_ figures: DaemonFigures) throws -> MetricsLint {
        let command = Metrics.Label("command", "watch")
        return try MetricsLint(MetricsText(figures.metrics, everywhere: command).description)
    }

    @Test("all that is measured is there, as Prometheus wants it")
    func all() throws {
        let lint = try lint(figures())
        let expected = [
            #"takeup_build_info{version="1.2.3"}"#: 1, #"takeup_jobs{state="queued"}"#: 41,
            #"takeup_jobs{state="succeeded"}"#: 7, "takeup_queue_oldest_seconds": 12.5,
            "takeup_running_jobs": 3, #"takeup_jobs_ended_total{outcome="retried"}"#: 2,
            #"takeup_jobs_ended_total{outcome="returned"}"#: 1, "takeup_claim_seconds_count": 8,
            "takeup_claim_seconds_sum": 0.25, "takeup_cache_hits_total": 3,
            #"takeup_free_bytes{use="output",folder="/out"}"#: 200, "takeup_watch_folders": 2,
            #"takeup_watch_files{folder="/in \"a\"",state="waiting"}"#: 4,
            #"takeup_watch_available{folder="/b"}"#: 0,
            #"takeup_watch_overflows_total{folder="/in \"a\""}"#: 1, "takeup_open": 1,
            "takeup_alive": 0, #"takeup_watch_actions_waiting{folder="/in \"a\""}"#: 0,
            #"takeup_watch_actions_waiting{folder="/b"}"#: 3, "takeup_hook_events_waiting": 2,
        ]
        for (series, value) in expected { #expect(lint.values[series] == value, "\(series)") }
        #expect((lint.values["takeup_process_resident_memory_bytes"] ?? 0) > 1_000_000)
        #expect((lint.values["takeup_process_open_fds"] ?? 0) > 2)
        #expect(lint.commands == ["watch"])
        #expect(lint.labels == ["version", "state", "outcome", "use", "folder"])
    }

    @Test("what is not known is left out")
    func unknown() throws {
        let lint = try lint(DaemonFigures())
        let names = lint.values.keys.filter { name in
            [
                "takeup_jobs{", "takeup_queue", "takeup_cache", "takeup_watch", "takeup_free",
                "takeup_hook",
            ]
            .contains { name.hasPrefix($0) }
        }
        #expect(names.isEmpty)
    }

    @Test("what costs much is asked for a hundredth of the time")
    func paced() {
        var paced = Throttled<Int>()
        var (time, asked) = (0.0, 0)
        for second in 0..<1000 {
            time = max(time, Double(second))
            paced.refresh(clock: { time }) {
                asked += 1
                time += 1
                return asked == 2 ? nil : asked
            }
        }
        #expect(asked == 10 && paced.value == 10)
    }
}

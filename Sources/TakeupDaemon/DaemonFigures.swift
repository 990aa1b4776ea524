internal import TakeupIngest
internal import TakeupJobs
internal import TakeupService
internal import TakeupTelemetry
internal import TakeupWatch
internal import TakeupWorker

/// All that a daemon measures, at one moment.
struct DaemonFigures: Sendable {
    struct Folder: Sendable {
        let path: String
        let figures: WatchFigures
    }

    struct FreeSpace: Sendable {
        let folder: String
        /// `cache` or `output`.
        let use: String
        let bytes: Int64
    }

    var version = ""
    /// Seconds since 1970.
    var startedAt = 0.0
    /// Whether jobs may be started, by the hours.
    var isOpen = true
    /// Whether nothing is stuck.
    var isAlive = true
    var worker = WorkerFigures()
    var depth: QueueDepth?
    /// Jobs that have ended, too.
    var counts: [JobState: Int]?
    var cache: CacheFigures?
    var folders: [Folder] = []
    /// The backlog of all daemons of the database; nil if they watch no folder.
    var backlog: WatchBacklog?
    var free: [FreeSpace] = []
    var process = ProcessFacts()

    var metrics: Metrics {
        var metrics = Metrics()
        metrics.gauge(
            "takeup_build_info", 1, "The program's version.", Metrics.Label("version", version))
        metrics.gauge("takeup_alive", isAlive ? 1 : 0, "1 while no lane of the daemon is stuck.")
        addQueue(to: &metrics)
        addWork(to: &metrics)
        addCache(to: &metrics)
        addWatch(to: &metrics)
        addBacklog(to: &metrics)
        addProcess(to: &metrics)
        return metrics
    }

    private func addQueue(to metrics: inout Metrics) {
        if let states = states {
            for state in JobState.allCases {
                metrics.gauge(
                    "takeup_jobs", Double(states[state] ?? 0), "Jobs in the queue's database.",
                    Metrics.Label("state", state.rawValue))
            }
        }
        if let depth {
            metrics.gauge(
                "takeup_queue_oldest_seconds", depth.oldestSeconds,
                "Longest time, in seconds, that a due job has waited.")
        }
        metrics.gauge(
            "takeup_open", isOpen ? 1 : 0, "Whether jobs may start, by the hours.")
    }

    /// What waits and runs is known anew each time, what has ended less often.
    private var states: [JobState: Int]? {
        guard var states = counts, let depth else { return nil }
        states[.queued] = depth.queued
        states[.scheduled] = depth.scheduled
        states[.running] = depth.running
        return states
    }

    private func addCache(to metrics: inout Metrics) {
        for place in free {
            metrics.gauge(
                "takeup_free_bytes", Double(place.bytes), "Free on a folder's file system.",
                Metrics.Label("use", place.use), Metrics.Label("folder", place.folder))
        }
        guard let cache else { return }
        metrics.gauge("takeup_cache_entries", Double(cache.entries), "Results in the cache.")
        metrics.gauge("takeup_cache_bytes", Double(cache.bytes), "What the results take up.")
        metrics.gauge("takeup_cache_sources", Double(cache.sources), "Fetched sources.")
        metrics.gauge(
            "takeup_cache_source_bytes", Double(cache.sourceBytes), "What the sources take up.")
        metrics.counter("takeup_cache_hits_total", Double(cache.hits), "Answers from the cache.")
        metrics.counter(
            "takeup_cache_misses_total", Double(cache.misses), "Work that the cache did not hold.")
        metrics.counter(
            "takeup_cache_saved_bytes_total", Double(cache.bytesSaved),
            "The sizes of results that were used, and the bytes that were read over HTTP.")
        metrics.counter(
            "takeup_cache_evictions_total", Double(cache.evictions), "Results let go.")
    }

    private func addProcess(to metrics: inout Metrics) {
        metrics.gauge(
            "takeup_process_resident_memory_bytes", process.residentBytes,
            "Memory, without helpers.")
        metrics.gauge("takeup_process_open_fds", process.openDescriptors, "Open descriptors.")
        metrics.gauge("takeup_process_max_fds", process.mostDescriptors, "Most open descriptors.")
        metrics.counter(
            "takeup_process_cpu_seconds_total", process.processorSeconds,
            "Processor time, without helpers.")
        metrics.gauge(
            "takeup_process_start_time_seconds", startedAt, "When it began, in seconds since 1970.")
    }
}

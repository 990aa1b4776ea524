internal import TakeupIngest
internal import TakeupJobs
internal import TakeupTelemetry
internal import TakeupWatch
internal import TakeupWorker

extension DaemonFigures {
    func addWork(to metrics: inout Metrics) {
        metrics.gauge(
            "takeup_running_jobs", Double(worker.running), "Jobs that this process does now.")
        for state in JobState.allCases {
            guard let outcome = Self.outcome(state) else { continue }
            metrics.counter(
                "takeup_jobs_ended_total", Double(worker.ended[state] ?? 0),
                "Attempts that this process has ended.", Metrics.Label("outcome", outcome))
        }
        metrics.counter(
            "takeup_lease_losses_total", Double(worker.leaseLosses),
            "Attempts whose lease went to somebody else.")
        metrics.counter(
            "takeup_rescues_total", Double(worker.rescues),
            "Jobs taken back from dead or silent workers.")
        let claims = Double(worker.claims)
        metrics.summary(
            "takeup_claim_seconds", sum: worker.claimSeconds, count: claims,
            "How long the queue took to give a job.")
        metrics.summary(
            "takeup_job_wait_seconds", sum: worker.waitSeconds, count: claims,
            "How long jobs had been due when they were given.")
        metrics.counter(
            "takeup_export_media_seconds_total", worker.mediaSeconds,
            "How long the results of this process last.")
        metrics.counter(
            "takeup_export_work_seconds_total", worker.workSeconds, "How long they took.")
        metrics.counter(
            "takeup_source_bytes_total", Double(worker.sourceBytes),
            "Sizes of the sources of exports.")
        metrics.counter(
            "takeup_output_bytes_total", Double(worker.outputBytes), "Sizes of the results.")
    }

    /// What the job's state after an attempt says of that; nil for a state that none ends in.
    private static func outcome(_ state: JobState) -> String? {
        switch state {
        case .running: nil
        case .scheduled: "retried"
        case .queued: "returned"
        case .succeeded, .cached, .failed, .cancelled, .quarantined: state.rawValue
        }
    }

    func addWatch(to metrics: inout Metrics) {
        guard !folders.isEmpty else { return }
        metrics.gauge("takeup_watch_folders", Double(folders.count), "Watched folders.")
        for folder in folders {
            let label = Metrics.Label("folder", folder.path)
            let figures = folder.figures
            metrics.gauge(
                "takeup_watch_available", figures.isAvailable ? 1 : 0,
                "Whether the folder is there.", label)
            metrics.gauge(
                "takeup_watch_events", figures.hasEvents ? 1 : 0,
                "Whether events tell of changes; else scans alone do.", label)
            let files = [
                ("waiting", figures.waiting), ("stuck", figures.stuck),
                ("handed", figures.handed), ("known", figures.known),
            ]
            for (state, count) in files {
                metrics.gauge(
                    "takeup_watch_files", Double(count),
                    "Files that settle, cannot be taken, have a job, or need none.", label,
                    Metrics.Label("state", state))
            }
            metrics.gauge(
                "takeup_watch_scan_seconds", figures.scanSeconds,
                "Seconds that the last full scan took.", label)
            metrics.counter(
                "takeup_watch_scans_total", Double(figures.scans), "Full scans.", label)
            metrics.counter(
                "takeup_watch_overflows_total", Double(figures.overflows),
                "How often the system lost events.", label)
        }
    }

    func addBacklog(to metrics: inout Metrics) {
        guard let backlog else { return }
        for folder in folders {
            metrics.gauge(
                "takeup_watch_actions_waiting", Double(backlog.actions[folder.path] ?? 0),
                "Actions on sources that could not be done and are tried again.",
                Metrics.Label("folder", folder.path))
        }
        metrics.gauge(
            "takeup_hook_events_waiting", Double(backlog.hookEvents),
            "Events in the database that hooks have not been told yet.")
    }
}

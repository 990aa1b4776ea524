extension JobRecord {
    /// Why no worker takes a job that may start; nil where nothing is known to be missing.
    ///
    /// `workers` are those that gave a sign of life lately.
    package func lack(among workers: [WorkerEntry]) -> String? {
        guard state == .queued, note == nil else { return nil }
        if workers.isEmpty { return "waits for a worker: none runs" }
        let fitting = workers.filter { $0.scope.admits(spec) }
        if fitting.isEmpty {
            let tags = spec.tags.map { "the tag \($0)" }
            let queue = spec.queue ?? ClaimScope.defaultQueue
            let isServed = workers.contains { $0.scope.queues?.contains(queue) != false }
            let wanted = (isServed && spec.queue == nil ? [] : ["the queue \(queue)"]) + tags
            return "waits for a worker with \(wanted.joined(separator: ", "));"
                + " none that runs has that"
        }
        guard fitting.contains(where: { $0.state == .working }) else {
            return "waits for a worker: those that could take it are paused, or end"
        }
        return spec.key.map { key in
            "waits for a worker to take it; workers may bound how many jobs of the key \(key) run"
        }
    }
}

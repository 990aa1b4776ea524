internal import TakeupIngest
internal import TakeupJobs

/// How a daemon fares, in one line for people.
struct ServiceStatus: Sendable {
    var isReady = false
    var isStopping = false
    /// Jobs of this process.
    var running = 0
    /// nil while it is not known.
    var depth: QueueDepth?
    /// Whether the queue was asked in vain the last time.
    var hasQueueFailed = false
    /// Why nothing is started; nil when jobs may be.
    var closed: String?
    /// Figures of each watched folder; nil before the folder's first step.
    var folders: [WatchFigures?] = []

    /// Such as `3 running, 41 queued, closed until 22:00, 2 folders, 5 files settling`.
    var text: String {
        guard !isStopping else { return "stopping, \(running) running" }
        guard isReady else { return starting }
        var parts = ["\(running) running"]
        if let depth {
            parts.append("\(depth.queued) queued")
            if depth.scheduled > 0 { parts.append("\(depth.scheduled) for later") }
        } else if hasQueueFailed {
            parts.append("the queue cannot be asked")
        }
        if let closed { parts.append(closed) }
        return (parts + watching).joined(separator: ", ")
    }

    private var starting: String {
        guard !folders.isEmpty else { return "starting" }
        let looked = folders.count { $0.map { $0.hasScanned || !$0.isAvailable } ?? false }
        return "starting, \(looked) of \(Self.count(folders.count, "folder")) looked through"
    }

    private var watching: [String] {
        guard !folders.isEmpty else { return [] }
        let known = folders.compactMap(\.self)
        var parts = [Self.count(folders.count, "folder")]
        let missing = known.count { !$0.isAvailable }
        if missing > 0 { parts.append("\(missing) not there") }
        let waiting = known.reduce(0) { $0 + $1.waiting }
        if waiting > 0 { parts.append("\(Self.count(waiting, "file")) settling") }
        let stuck = known.reduce(0) { $0 + $1.stuck }
        if stuck > 0 { parts.append("\(Self.count(stuck, "file")) stuck") }
        return parts
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

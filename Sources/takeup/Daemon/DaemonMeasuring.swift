import TakeupCache
import TakeupFiles
import TakeupJobs
import TakeupService
import TakeupWatch

/// Collects what a daemon measures; blocks on the disk and the database, so that it is confined to a lane of its own.
final class DaemonMeasuring {
    private let places: StatePlaces
    private let limits: CacheLimits
    private let board: DaemonState
    private let aliveSeconds: Double
    private let context: CommandContext
    private let startedAt: Double
    private var counts = Throttled<[JobState: Int]>()
    private var cacheFigures = Throttled<CacheFigures>()
    private var backlog = Throttled<WatchBacklog>()
    private var cache: CacheAccess?
    /// Over a connection of its own: folders' lanes do not wait for a count.
    private var ledger: WatchLedger?

    /// - Parameters:
    ///   - places: Of the cache and the database.
    ///   - limits: Of the cache.
    ///   - board: What is measured.
    ///   - aliveSeconds: How recent a sign of life of the lanes that claim has to be.
    ///   - context: The clocks, and how the cache is opened.
    init(
        _ places: StatePlaces, _ limits: CacheLimits, _ board: DaemonState, aliveSeconds: Double,
        _ context: CommandContext
    ) {
        (self.places, self.limits, self.board, self.context) = (places, limits, board, context)
        self.aliveSeconds = aliveSeconds
        startedAt = context.wallClock()
    }

    /// Notes how much waits, for whoever shows it.
    func look() {
        guard let queue = board.queue else { return }
        board.set(try? queue.depth())
    }

    /// What cannot be found out now is left out, or stays as it was.
    func figures() -> DaemonFigures {
        var figures = DaemonFigures()
        figures.version = CommandTable.version
        figures.startedAt = startedAt
        figures.isOpen = board.schedule?.isOpen ?? true
        figures.isAlive = board.facts(now: context.now(), aliveSeconds: aliveSeconds).isAlive
        figures.process = .current()
        if let worker = board.worker { figures.worker = worker.figures() }
        if let queue = board.queue {
            figures.depth = try? queue.depth()
            counts.refresh(clock: context.now) { try? queue.counts() }
            figures.counts = counts.value
            // The queue is there, so that its database need not be made for this.
            cacheFigures.refresh(clock: context.now, findCacheFigures)
            figures.cache = cacheFigures.value
        }
        let gauges = board.gauges
        figures.folders = gauges.compactMap { gauge in
            gauge.figures.map { DaemonFigures.Folder(path: gauge.folder, figures: $0) }
        }
        if !gauges.isEmpty {
            backlog.refresh(clock: context.now, findBacklog)
            figures.backlog = backlog.value
        }
        figures.free = free(outputs: Set(gauges.compactMap(\.output)).sorted())
        return figures
    }

    private func findCacheFigures() -> CacheFigures? {
        if cache == nil { cache = try? context.openCache(places, limits) }
        return try? cache?.figures()
    }

    private func findBacklog() -> WatchBacklog? {
        if ledger == nil {
            ledger = try? places.existingLedger(now: context.wallClock)
        }
        return try? ledger?.backlog()
    }

    private func free(outputs: [String]) -> [DaemonFigures.FreeSpace] {
        let folders = [(places.cache, "cache")] + outputs.map { ($0, "output") }
        return folders.compactMap { folder, use in
            (try? FreeSpace.bytes(at: folder)).map { bytes in
                DaemonFigures.FreeSpace(folder: folder, use: use, bytes: bytes)
            }
        }
    }
}

internal import TakeupCache
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupService
internal import TakeupWatch

/// Collects what a daemon measures; blocks on the disk and the database, so that it is confined to a lane of its own.
final class DaemonMeasuring {
    private let places: StatePlaces
    private let board: DaemonState
    private let aliveSeconds: Double
    private let clock: DaemonClock
    private let findCacheFigures: @Sendable () -> CacheFigures?
    private let startedAt: Double
    private var counts = Throttled<[JobState: Int]>()
    private var cacheFigures = Throttled<CacheFigures>()
    private var backlog = Throttled<WatchBacklog>()
    /// Over a connection of its own: folders' lanes do not wait for a count.
    private var ledger: WatchLedger?

    /// - Parameters:
    ///   - places: Of the cache and the database.
    ///   - cache: Finds out what the cache holds; nil where that cannot be told now.
    ///   - board: What is measured.
    ///   - aliveSeconds: How recent a sign of life of the lanes that claim has to be.
    ///   - clock: The clocks.
    init(
        _ places: StatePlaces, _ cache: @escaping @Sendable () -> CacheFigures?,
        _ board: DaemonState, aliveSeconds: Double, _ clock: DaemonClock
    ) {
        (self.places, self.board, self.clock) = (places, board, clock)
        findCacheFigures = cache
        self.aliveSeconds = aliveSeconds
        startedAt = clock.wallClock()
    }

    /// Notes how much waits, for whoever shows it.
    func look() {
        guard let queue = board.queue else { return }
        board.set(try? queue.depth())
    }

    /// What cannot be found out now is left out, or stays as it was.
    func figures() -> DaemonFigures {
        var figures = DaemonFigures()
        figures.version = ProgramVersion.current
        figures.startedAt = startedAt
        figures.isOpen = board.schedule?.isOpen ?? true
        figures.isAlive = board.facts(now: clock.now(), aliveSeconds: aliveSeconds).isAlive
        figures.process = .current()
        if let worker = board.worker { figures.worker = worker.figures() }
        if let queue = board.queue {
            figures.depth = try? queue.depth()
            counts.refresh(clock: clock.now) { try? queue.counts() }
            figures.counts = counts.value
            // The queue is there, so that its database need not be made for this.
            cacheFigures.refresh(clock: clock.now, findCacheFigures)
            figures.cache = cacheFigures.value
        }
        let gauges = board.gauges
        figures.folders = gauges.compactMap { gauge in
            gauge.figures.map { DaemonFigures.Folder(path: gauge.folder, figures: $0) }
        }
        if !gauges.isEmpty {
            backlog.refresh(clock: clock.now, findBacklog)
            figures.backlog = backlog.value
        }
        figures.free = free(outputs: Set(gauges.compactMap(\.output)).sorted())
        return figures
    }

    private func findBacklog() -> WatchBacklog? {
        if ledger == nil {
            ledger = try? places.existingLedger(now: clock.wallClock)
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

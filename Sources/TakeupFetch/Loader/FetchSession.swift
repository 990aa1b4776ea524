internal import Foundation
internal import TakeupCurl
internal import TakeupFiles
internal import TakeupLanes

/// What all readers of one source share: its file, who waits, and the one download.
///
/// The download runs on a lane of its own while somebody needs it. Lock order: `state`, then those of the file.
final class FetchSession: Sendable {
    let file: SourceFile
    let store: SourceStore
    let settings: FetchSettings
    let hub = EventHub()
    let state: Locked<State>
    /// Wakes the lane from its pauses.
    let pause = DispatchSemaphore(value: 0)
    let commits: CommitLane
    private let lane = Lane("takeup.fetch")
    /// Touched on the lane only.
    private let download: Confined<Download>
    private let onEnd: (@Sendable (SessionLog) -> Void)?

    struct Reader {
        var position: Int64 = 0
        /// Since its first byte.
        var generation: Int64?
        var isCancelled = false
        /// Has begun to read, so that bytes ahead of it are of use.
        var isActive = false
        /// Reads the data file by itself, so that every byte must be in it.
        var usesFile = false
    }

    /// The request under way.
    struct Running {
        var position: Int64
        var end: Int64?
        var bytes: Int64 = 0
        /// Was stopped on purpose: for somebody who waits elsewhere, or for nobody is there.
        var hasYielded = false
        /// nil before its answer's head: neither a turn nor the origin's thinking is transfer.
        var answeredAt: Double?
        /// Waits for who will read.
        var isHeld = false
        let cancellation: TransferCancellation

        /// What little is left is cheaper than a broken connection.
        var isNearlyDone: Bool {
            end.map { $0 - position <= FetchSchedule.quantumBytes } ?? false
        }
    }

    struct State {
        var readers: [Int: Reader] = [:]
        var nextReader = 0
        var waiters: [ReadWaiter] = []
        var isRunning = false { didSet { countTraffic() } }
        var isClosed = false { didSet { countTraffic() } }
        /// Its library's.
        var traffic = LiveTraffic()
        /// Counts as live there.
        var isCounted = false
        /// The lane began for prefetches alone.
        var beganAhead = false
        /// It is a playlist of one size, and this session is for a limit: its bytes are those of the one without.
        var hasOneSize = false
        /// A longer object is not fetched ahead.
        var mostAheadBytes: Int64?
        /// Whether the bytes here may be given away without asking the origin.
        var isTrusted: Bool
        var lastFailure: FetchError?
        var phase = LoaderStatus.Phase.idle
        var running: Running?
        /// What somebody asked for last.
        var address: WebAddress
        var schedule = FetchSchedule()
        var speeds = SpeedRecord()
        /// When progress was told last.
        var toldAt = 0.0
        var honoursRanges = true
        /// Somebody has learnt what the source is, and nobody has come to read it.
        var awaitsReader = false
        var contentType: String?
        /// Another address of the same source, for when the one in use is refused.
        var offered: WebAddress?
        /// The origin has said in this session what it has.
        var isConfirmed = false
        /// Why nothing shall be kept from the next bytes on.
        var refusal: FetchError?
        /// Since it was decided that the bytes go on without the disk.
        var passing: FetchError?
        /// Whether the entry says so.
        var isNoted = false
        /// What the origin states of the bytes; what the entry says of that.
        var stated: SourceEntry.Stated?
        var notedStated: SourceEntry.Stated?
        var log: SessionLog
    }

    init(
        _ file: SourceFile, store: SourceStore, address: WebAddress, settings: FetchSettings,
        onEnd: (@Sendable (SessionLog) -> Void)?
    ) {
        (self.file, self.store, self.settings, self.onEnd) = (file, store, settings, onEnd)
        commits = CommitLane(SpaceFloor(store, settings.storeLimits))
        let now = file.clock()
        let entry = file.folder.flatMap { try? store.entry($0) }
        let age = entry?.checkedAt.map { now - $0 } ?? .infinity
        var log = SessionLog(
            sessionID: UUID().uuidString, kind: settings.kind, url: file.address, startedAt: now)
        log.cacheBytes = file.status.present.byteCount
        var state = State(
            isTrusted: (0..<settings.freshSeconds).contains(age), address: address, log: log)
        state.contentType = entry?.contentType
        if entry?.stated?.generation == file.status.generation {
            (state.stated, state.notedStated) = (entry?.stated, entry?.stated)
        }
        self.state = Locked(state)
        download = Confined(Download(address: address, settings: settings))
    }

    deinit { end() }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Seconds on a clock that nobody sets.
    static var monotonicSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    var status: LoaderStatus {
        let here = file.status
        return state.withLock { state in
            LoaderStatus(
                phase: here.isComplete && !state.isClosed ? .complete : state.phase,
                presentBytes: here.present.byteCount, totalBytes: here.length,
                originBytes: state.log.originBytes, originRequests: state.log.originRequests,
                retries: state.log.retries, storageFailure: here.storageFailure)
        }
    }

    var currentLog: SessionLog {
        let status = file.status
        return state.withLock { state in
            var log = state.log
            (log.minBytesPerSecond, log.maxBytesPerSecond) = (
                state.speeds.least, state.speeds.most
            )
            log.bytesPerSecondDeviation = state.speeds.deviation
            if status.isComplete { log.result = "complete" }
            if status.storageFailure != nil { log.result = "passed through" }
            if let failure = state.lastFailure { log.result = failure.name }
            return log
        }
    }

    /// Notes another address of the same source, for when the right to the one in use has ended.
    ///
    /// Nobody knows which signature is the newer one, so that it takes no good one's place.
    func offer(_ address: WebAddress) {
        state.withLock { state in
            guard state.address != address else { return }
            (state.address, state.offered) = (address, address)
        }
    }

    /// Ends the session: nobody waits any more, nothing is fetched any more.
    ///
    /// Blocks until the request under way has ended, so that the log says what it cost.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            state.phase = .closed
            state.stopRunning()
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.wake(.failure(.cancelled)) }
        pause.signal()
        lane.drain()
        end()
    }

    private func end() {
        let isFirst = state.withLock { state in
            guard state.log.endedAt == nil else { return false }
            state.log.endedAt = file.clock()
            return true
        }
        guard isFirst else { return }
        let log = currentLog
        hub.finish(.log(log))
        if log.deliveredBytes > 0 || log.originRequests > 0 { onEnd?(log) }
    }

    var hasOneSize: Bool { state.withLock { $0.hasOneSize } }

    /// Lets the download run on its lane, if it does not.
    func start() {
        let isNew = state.withLock { state in
            state.countTraffic()
            guard !state.isRunning, !state.isClosed else { return false }
            state.isRunning = true
            state.beganAhead = !state.isLive
            return true
        }
        guard isNew else { return }
        lane.start { self.download.value.run(self) }
    }
}

extension FetchError {
    /// For logs: the case alone.
    var name: String {
        switch self {
        case .status(let status, _): "status \(status)"
        case .invalidResponse: "invalid response"
        case .changed: "changed"
        case .notMedia: "not media"
        case .unsupported: "unsupported"
        case .expired: "expired"
        case .denied: "denied"
        case .tooLarge: "too large"
        case .checksumMismatch: "checksum mismatch"
        case .unreachable: "unreachable"
        case .storage: "storage"
        case .cancelled: "cancelled"
        }
    }
}

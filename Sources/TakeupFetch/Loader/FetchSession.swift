internal import Foundation
internal import TakeupCurl
internal import TakeupFiles
internal import TakeupLanes

/// The shared state of all readers of one source: its file, its waiters and its single download.
///
/// The download runs on its own lane while somebody needs bytes. Lock order: `state`, then the
/// file's locks.
final class FetchSession: Sendable {
    let file: SourceFile
    let store: SourceStore
    let settings: FetchSettings
    let hub = EventHub()
    let state: Locked<State>
    /// Wakes the lane from its pauses.
    let pause = Bell()
    let commits: CommitLane
    private let lane = Lane("takeup.fetch")
    /// Touched on the lane only.
    private let download: Confined<Download>
    private let onEnd: (@Sendable (SessionLog) -> Void)?

    struct Reader {
        var position: Int64 = 0
        /// Generation of the reader's first byte; nil before.
        var generation: Int64?
        var isCancelled = false
        /// The reader has begun to read, so that read-ahead is useful.
        var isActive = false
        /// The reader reads the data file directly, so that every byte must be in the file.
        var usesFile = false
    }

    /// The current request.
    struct Running {
        var position: Int64
        var end: Int64?
        var bytes: Int64 = 0
        /// Stopped on purpose: for a reader who waits elsewhere, or because nobody is left.
        var hasYielded = false
        /// Time of the answer's head; nil before.
        ///
        /// Waits for a turn or for the origin are not transfer time.
        var answeredAt: Double?
        /// The answer is held for a future reader.
        var isHeld = false
        let cancellation: TransferCancellation

        /// Whether so little is left that finishing is cheaper than breaking the connection.
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
        /// The live-session counter of the library.
        var traffic = LiveTraffic()
        /// Whether the library's live-session counter includes this session.
        var isCounted = false
        /// The lane was started by prefetches alone.
        var beganAhead = false
        /// The playlist has one size, but this session has a picture limit.
        ///
        /// Its bytes equal those without a limit.
        var hasOneSize = false
        /// Longest object to prefetch, in bytes; nil for no limit.
        var mostAheadBytes: Int64?
        /// Whether the stored bytes may be used without asking the origin.
        var isTrusted: Bool
        var lastFailure: FetchError?
        var phase = LoaderStatus.Phase.idle
        var running: Running?
        /// The address that was requested last.
        var address: WebAddress
        var schedule = FetchSchedule()
        var speeds = SpeedRecord()
        /// Time of the last progress event.
        var toldAt = 0.0
        var honoursRanges = true
        var contentType: String?
        /// The status of the last answer that confirmed the version.
        var originStatus: Int?
        /// Another address of the same source, used if the current one is refused.
        var offered: WebAddress?
        /// The origin has confirmed its version in this session.
        var isConfirmed = false
        /// When the origin last confirmed it, in this session or before; seconds since 1970.
        var checkedAt: Double?
        /// The `Age` of the answer that confirmed it; 0 without one.
        var originAge = 0.0
        /// The source is a playlist, whose pieces are joined.
        var isPlaylist = false
        /// Players read the source as it is: subtitles, keys and documents too.
        var hasPlayers = false
        /// Others read it as media: the pieces of a playlist are joined for them.
        var hasOthers = false
        /// Why the bytes after this moment must not be stored; nil to store them.
        var refusal: FetchError?
        /// The reason why bytes bypass the disk, set from that decision on.
        var passing: FetchError?
        /// Whether the store entry records the confirmation.
        var isNoted = false
        /// The digests that the origin states, followed by those in the store entry.
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
            sessionID: Self.randomID, kind: settings.kind, url: file.address, startedAt: now)
        log.cacheBytes = file.status.present.byteCount
        var state = State(
            isTrusted: (0..<settings.freshSeconds).contains(age), address: address, log: log)
        (state.contentType, state.checkedAt) = (entry?.contentType, entry?.checkedAt)
        state.originAge = entry?.originAge ?? 0
        if entry?.stated?.generation == file.status.generation {
            (state.stated, state.notedStated) = (entry?.stated, entry?.stated)
        }
        self.state = Locked(state)
        download = Confined(Download(address: address, settings: settings))
    }

    deinit { end() }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// A name that no other session has; needs no free descriptor, as `UUID` does.
    static var randomID: String {
        (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }
            .joined(separator: "-")
    }

    /// Seconds on the monotonic clock, which nobody can set.
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

    /// Offers another address of the same source, for when the current one expires.
    ///
    /// Nobody can tell which signed address is newer, so the offer does not replace a working
    /// address.
    func offer(_ address: WebAddress) {
        state.withLock { state in
            guard state.address != address else { return }
            (state.address, state.offered) = (address, address)
        }
    }

    /// Closes the session: ends all waits and stops fetching.
    ///
    /// Blocks until the current request has ended, so that the log includes its cost.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            state.phase = .closed
            state.stopRunning()
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.wake(.failure(.cancelled)) }
        pause.ring()
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

    /// Starts the download on its lane, unless it runs already.
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
    /// The error's case as text, for logs.
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

internal import Foundation
internal import TakeupCache
internal import TakeupFetch
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupMediaClient
internal import TakeupModel
internal import TakeupService
internal import TakeupWatch

/// What the routes of a server share.
final class ServeDesk: Sendable {
    /// The cache as commands see it.
    let cache: CacheAccess
    let uploads: UploadStore
    let keys: IdempotencyKeys
    let counts: QueueCounts
    let hub: EventHub
    let history: ServeHistory
    let media: MediaDesk
    let loaders: LoaderKeeper
    let requests = RequestFigures()
    /// Seconds since 1970.
    let startedAt: Double

    private let places: StatePlaces
    private let wallClock: @Sendable () -> Double
    private let openedLedger = Locked<WatchLedger?>(nil)

    init(
        _ places: StatePlaces, _ queue: QueueAccess, _ cache: MediaCache,
        _ sources: SourceStore, helper: HelperConfiguration, _ uploads: UploadStore,
        now: @escaping @Sendable () -> Double, wallClock: @escaping @Sendable () -> Double
    ) {
        (self.places, self.uploads, self.wallClock) = (places, uploads, wallClock)
        self.cache = CacheAccess(cache, sources, now: wallClock)
        keys = IdempotencyKeys(folder: "\(places.home)/idempotency")
        counts = QueueCounts(queue, now: now)
        hub = EventHub(queue, counts, uploads.paths, now: now, wallClock: wallClock)
        history = ServeHistory(queue, cache, wallClock: wallClock)
        media = MediaDesk(helper, now: now)
        loaders = LoaderKeeper(now: now)
        startedAt = wallClock()
    }

    /// What is known of watched folders; nil where none was ever watched on this machine.
    func ledger() throws(Failure) -> WatchLedger? {
        if let known = openedLedger.withLock({ $0 }) { return known }
        do throws(WatchError) {
            let opened = try places.existingLedger(now: wallClock)
            openedLedger.withLock { $0 = opened }
            return opened
        } catch {
            throw Failure(error)
        }
    }
}

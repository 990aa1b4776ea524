internal import Foundation
internal import TakeupCache
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTelemetry

/// Does what nobody waits for: takes back lost jobs, watches the disk, lets old results go.
struct Maintenance {
    private static let intervalSeconds = 0.5
    private static let cleanSeconds = 20.0
    /// The same while nothing is done on a server, which many workers ask.
    private static let idleCleanSeconds = 600.0
    private static let pruneSeconds = 3600.0
    /// Between two looks for leases that ran out on a server, which many workers ask.
    private static let serverRescueSeconds = 10.0
    private static let folderSeconds = 60.0

    private let team: WorkerContext
    /// Waits for no bucket any more when the lanes have ended.
    private let cache: MediaCache

    init(team: WorkerContext) {
        self.team = team
        cache = team.cache.stopping { [run = team.run] in run.phase >= .idle }
    }

    func run() {
        var cleanedAt = ContinuousClock.now
        var prunedAt: ContinuousClock.Instant?
        var steadiness = Steadiness(leaseSeconds: team.configuration.leaseSeconds)
        var hasSwept = false
        var rescuedAt: ContinuousClock.Instant?
        var folderAt = ContinuousClock.now
        var phase = team.run.phase
        while phase < .idle {
            let now = ContinuousClock.now
            if steadiness.look(wall: team.store.now(), at: now) { settleClock() }
            if mayRescue(since: rescuedAt, at: now) {
                rescuedAt = now
                hasSwept =
                    rescue(takesExpired: steadiness.judges(at: now), sweeps: !hasSwept) || hasSwept
            }
            if now - folderAt > .seconds(Self.folderSeconds) {
                folderAt = now
                lookAtFolder()
            }
            watchSpace()
            let isIdle = team.store.folder == nil && team.book.count == 0
            if now - cleanedAt > .seconds(isIdle ? Self.idleCleanSeconds : Self.cleanSeconds) {
                cleanedAt = now
                team.attempt("cleaning the cache") { _ = try cache.clean() }
                team.attempt("cleaning the sources", cleanSources)
            }
            if prunedAt.map({ now - $0 > .seconds(Self.pruneSeconds) }) ?? true {
                prunedAt = now
                prune()
            }
            team.run.pause(seconds: Self.intervalSeconds, in: phase)
            phase = team.run.phase
        }
    }

    /// A file is asked each time; a server now and then, and when the lock of a worker of this machine says that it died.
    private func mayRescue(
        since last: ContinuousClock.Instant?, at now: ContinuousClock.Instant
    ) -> Bool {
        guard team.store.folder == nil, let last else { return true }
        return now - last >= .seconds(Self.serverRescueSeconds)
            || now - last >= .seconds(1) && team.presence.hasDeadNeighbours
    }

    /// Ends the worker whose cache is the database's no more; one that works finds out with its next result.
    private func lookAtFolder() {
        team.attempt("looking which cache the database knows") {
            do throws(CacheError) {
                try team.cache.manifest.requireOwnFolder()
            } catch {
                guard case .notKnown = error else { throw error }
                team.end(Failure(error))
            }
        }
    }

    /// Puts right what a clock that was ahead has noted.
    private func settleClock() {
        team.attempt("looking for times that a clock ahead has noted") {
            let count = try team.store.settleClock()
            guard count > 0 else { return }
            team.log.record(
                .warning, "the clock was ahead: \(count) waits and leases are counted anew")
        }
    }

    /// - Returns: Whether what dead workers left was removed.
    private func rescue(takesExpired: Bool, sweeps: Bool) -> Bool {
        var hasSwept = false
        team.attempt("looking for dead workers") {
            // On a server most looks find that nobody died here, and need not ask who holds what.
            let hasDead = team.store.folder == nil && team.presence.hasDeadNeighbours
            let asksHolders = team.store.folder != nil || sweeps || hasDead
            let holders = asksHolders ? try team.store.leaseholders() : []
            let dead = team.presence.dead(among: holders)
            let held = Set(team.book.all.map(\.lease.token))
            let leases = try team.store.rescue(
                deadWorkers: dead, held: held, takesExpired: takesExpired)
            for taken in leases {
                team.log.record(
                    .warning, "taken back", LeaseHold.fields(taken.lease, attempt: taken.attempt))
            }
            if !leases.isEmpty {
                team.tally.addRescues(leases.count)
                team.events.send(.rescued(leases.map(\.lease.job)))
            }
            // Also the lock of one that held nothing, which would be asked about for ever.
            if asksHolders, sweeps || hasDead || !dead.isEmpty || !leases.isEmpty {
                // A job that somebody has locked was not taken back: its worker's lock stays.
                team.presence.sweep(
                    except: dead.isEmpty ? holders : try team.store.leaseholders())
                hasSwept = true
            }
        }
        return hasSwept
    }

    private func prune() {
        team.logs.prune()
        team.attempt("forgetting hashes") { try team.cache.manifest.pruneDigests() }
        let retention = team.configuration.retention
        team.attempt("forgetting jobs that ended long ago") {
            let count = try team.store.prune(
                olderThanSeconds: retention.seconds, keeping: retention.most)
            guard count > 0 else { return }
            team.log.record(.info, "forgot \(count) jobs that ended long ago")
        }
        team.attempt("forgetting workers that are gone") { try team.store.pruneWorkers() }
    }

    private func watchSpace() {
        team.attempt("looking at the free space") {
            team.settleGate()
            if let need = team.gate.need {
                if try isMet(need) {
                    team.openGate()
                } else if ContinuousClock.now >= need.until {
                    team.gate.letTry()
                }
            } else if team.book.count > 0, try !cache.makeRoom(bytes: 0) {
                // Sources that nobody uses go before work stops.
                try cleanSources()
                guard try !cache.makeRoom(bytes: 0) else { return }
                team.closeGate(team.cache.objects.path, 0)
            }
        }
    }

    private func cleanSources() throws {
        _ = try team.configuration.sources?.store.evict(SourceLimits(team.cache.limits))
    }

    private func isMet(_ need: DiskSpaceGate.Need) throws -> Bool {
        guard need.folder != team.cache.objects.path else {
            return try cache.makeRoom(bytes: need.bytes)
        }
        // A folder that is gone keeps nobody waiting: the job itself will say so.
        guard let free = try? FreeSpace.bytes(at: need.folder) else { return true }
        return free >= need.bytes
    }
}

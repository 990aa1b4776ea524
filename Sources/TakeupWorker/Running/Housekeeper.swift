internal import Foundation
internal import TakeupCache
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupTelemetry

/// Does what nobody waits for: takes back lost jobs, watches the disk, lets old results go.
struct Housekeeper {
    private static let intervalSeconds = 0.5
    private static let cleanSeconds = 20.0
    private static let pruneSeconds = 3600.0

    let team: Team

    func run() {
        var (cleanedAt, prunedAt) = (ContinuousClock.now, ContinuousClock.now)
        var drainEnd: ContinuousClock.Instant?
        var phase = team.run.phase
        while phase < .idle {
            rescue()
            watchSpace()
            let now = ContinuousClock.now
            if now - cleanedAt > .seconds(Self.cleanSeconds) {
                cleanedAt = now
                attempt("cleaning the cache") { _ = try team.cache.clean() }
                attempt("cleaning the sources", cleanSources)
            }
            if now - prunedAt > .seconds(Self.pruneSeconds) {
                prunedAt = now
                team.logs.prune()
                attempt("forgetting hashes") { try team.cache.manifest.pruneDigests() }
            }
            if phase == .draining {
                let end = drainEnd ?? now + .seconds(team.configuration.drainSeconds)
                drainEnd = end
                if now >= end { team.stop() }
            }
            team.run.pause(seconds: Self.intervalSeconds, in: phase)
            phase = team.run.phase
        }
    }

    private func rescue() {
        attempt("looking for dead workers") {
            let dead = team.presence.dead(among: try team.store.leaseholders())
            let leases = try team.store.rescue(deadWorkers: dead)
            if !dead.isEmpty { team.presence.sweep() }
            guard !leases.isEmpty else { return }
            for taken in leases {
                team.log.record(
                    .warning, "taken back", LeaseHold.fields(taken.lease, attempt: taken.attempt))
            }
            team.tally.addRescues(leases.count)
            team.events.send(.rescued(leases.map(\.lease.job)))
        }
    }

    private func watchSpace() {
        attempt("looking at the free space") {
            team.settleGate()
            if let need = team.gate.need {
                if try isMet(need) {
                    team.openGate()
                } else if ContinuousClock.now >= need.until {
                    team.gate.letTry()
                }
            } else if team.book.count > 0, try !team.cache.makeRoom(bytes: 0) {
                // Sources that nobody uses go before work stops.
                try cleanSources()
                guard try !team.cache.makeRoom(bytes: 0) else { return }
                team.closeGate(team.cache.directory.path, 0)
            }
        }
    }

    private func cleanSources() throws {
        _ = try team.configuration.sources?.store.evict(SourceLimits(team.cache.limits))
    }

    private func isMet(_ need: SpaceGate.Need) throws -> Bool {
        guard need.folder != team.cache.directory.path else {
            return try team.cache.makeRoom(bytes: need.bytes)
        }
        // A folder that is gone keeps nobody waiting: the job itself will say so.
        guard let free = try? FreeSpace.bytes(at: need.folder) else { return true }
        return free >= need.bytes
    }

    private func attempt(_ activity: String, _ body: () throws -> Void) {
        do {
            try body()
            team.troubles.end(activity)
        } catch {
            // A disk that is full is full at every look.
            guard team.troubles.begin(activity, "\(error)") else { return }
            team.log.record(.error, "\(activity) failed: \(error)")
        }
    }
}

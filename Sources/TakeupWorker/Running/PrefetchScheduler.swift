internal import TakeupCache
internal import TakeupModel
internal import TakeupFetch
internal import TakeupJobs
internal import TakeupTelemetry

/// Has the sources of the jobs that come next fetched while the lanes work, as far as the network is free.
///
/// It looks at the queue once no job has begun or ended for a moment: jobs that are answered from the cache follow one
/// another faster, and need no source.
struct PrefetchScheduler {
    /// That moment.
    private static let intervalSeconds = 0.5
    /// Until the queue is looked at again: others may have changed it.
    private static let calmSeconds = 5.0
    /// Jobs that are looked at: an address behind as many files is wanted late enough.
    private static let mostJobs = 8

    let team: WorkerContext
    let sources: SourceLibrary

    /// Works until the worker drains or stops, and leaves nothing under way.
    func run() {
        let prefetcher = Prefetcher(library: sources, limits: SourceLimits(team.cache.limits))
        var changes = 0
        var lookedAt: ContinuousClock.Instant?
        while team.run.phase == .working {
            let (present, now) = (team.book.changes, ContinuousClock.now)
            if present != changes {
                (changes, lookedAt) = (present, nil)
            } else if lookedAt.map({ now - $0 >= .seconds(Self.calmSeconds) }) ?? true {
                lookedAt = now
                prefetcher.want(next())
            }
            team.run.pause(seconds: Self.intervalSeconds, in: .working)
        }
        prefetcher.stop()
    }

    /// The sources that come next; none while no lane works or the disk is full.
    private func next() -> [WantedSource] {
        guard team.book.count > 0, team.gate.need == nil else { return [] }
        do throws(JobStoreError) {
            let jobs = try team.store.upcoming(
                limit: Self.mostJobs, in: team.configuration.scope)
            return jobs.flatMap(wanted)
        } catch {
            team.log.record(.warning, "looking for what comes next failed: \(error)")
            return []
        }
    }

    /// Returns the addresses that a job fetches.
    private func wanted(_ spec: JobSpec) -> [WantedSource] {
        let addresses = spec.request.sources.filter(SourceText.isAddress)
        guard !addresses.isEmpty else { return [] }
        return addresses.map { WantedSource($0, within: PictureLimit(spec.request.preset)) }
    }
}

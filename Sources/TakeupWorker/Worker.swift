internal import Dispatch
public import TakeupCache
internal import TakeupFetch
public import TakeupJobs
internal import TakeupLanes
public import TakeupModel
public import TakeupTelemetry

/// Does the queue's jobs on a fixed number of lanes, each with a sealed export process of its own.
///
/// May be used from any task. One is enough for a process; any number of processes may work on one database.
public final class Worker: Sendable {
    private let team: WorkerContext

    /// Repairs the cache and takes a place among the workers; claims nothing yet.
    ///
    /// Blocks while it looks at the cache's files.
    ///
    /// - Throws: `WorkerError`.
    public init(
        store: SQLJobStore, cache: MediaCache, configuration: WorkerConfiguration,
        log: Log = .silent
    ) throws(WorkerError) {
        guard (1...WorkerConfiguration.mostLanes).contains(configuration.lanes) else {
            throw .lanes(configuration.lanes)
        }
        let presence = try WorkerPresence(
            folder: store.folder ?? configuration.stateFolder, isCommon: store.folder != nil)
        team = WorkerContext(
            store: store, cache: cache, configuration: configuration, presence: presence,
            logs: try JobLogs(stateFolder: configuration.stateFolder), log: log)
        do throws(CacheError) {
            let found = try cache.reconcile()
            if found.isRepair {
                log.record(
                    .warning, "the cache \(cache.objects.name) was put right: \(found)")
            }
        } catch {
            throw .cache(error)
        }
        do throws(FetchError) {
            _ = try configuration.sources?.store.reconcile()
        } catch {
            log.record(.error, "the source store could not be put right: \(error)")
        }
    }

    /// What it is called in the queue.
    public var id: WorkerID { team.presence.id }

    /// A folder of its own for scratch files, which goes with it, also after a kill.
    public var scratchFolder: String { team.presence.scratch }

    /// Starts the lanes and returns; call it once.
    public func start() {
        team.pulse.begin(lanes: team.configuration.lanes)
        // A lane of jobs is one serial queue, 64 at most; what a job waits for has threads of its own.
        let lanes = DispatchGroup()
        for number in 0..<team.configuration.lanes {
            DispatchQueue(label: "takeup.work.\(number)").async(group: lanes) { [team] in
                WorkLane(number, team).run()
            }
        }
        let (services, signs) = (LaneGroup(), LaneGroup())
        services.start("takeup.heart") { [team] in LeaseRenewer(team: team).run() }
        signs.start("takeup.deadlines") { [team] in WorkDeadlines(team: team).run() }
        signs.start("takeup.signs") { [team] in VitalSigns(team: team).run() }
        if team.store.wakeUps.isPossible {
            services.start("takeup.wake") { [team] in WakeListener(team: team).run() }
        }
        services.start("takeup.housekeeping") { [team] in Maintenance(team: team).run() }
        if let sources = team.configuration.sources {
            services.start("takeup.ahead") { [team] in
                PrefetchScheduler(team: team, sources: sources).run()
            }
        }
        Lane("takeup.worker").start { [team] in
            lanes.wait()
            team.run.advance(to: .idle)
            services.wait()
            team.run.advance(to: .leaving)
            signs.wait()
            team.events.finish()
            // Here and not with the object: a program may exit as soon as the worker has ended.
            team.presence.leave()
            try? team.store.unregister(team.presence.id)
            team.run.advance(to: .ended)
        }
    }

    /// Everything that happens from now on; ends with the worker.
    public func events() -> AsyncStream<WorkerEvent> { team.events.subscribe(nil) }

    /// What happens to one job from now on; ends with the worker.
    public func events(of job: JobID) -> AsyncStream<WorkerEvent> { team.events.subscribe(job) }

    /// Claims nothing more; running jobs may end, for a time, and are then given back.
    public func drain() { team.run.advance(to: .draining) }

    /// Stops running jobs and gives them back, without using up an attempt.
    public func stop() { team.stop() }

    /// Starts nothing more until `resume`; what waits in the queue stays there.
    ///
    /// May come before `start`. `drain` and `stop` work as ever meanwhile.
    ///
    /// - Parameters:
    ///   - reason: For the log and `WorkerEvent.paused`.
    ///   - returnsRunning: Whether running jobs are stopped and given back, without using up an attempt; otherwise they end
    ///     by themselves.
    public func suspend(because reason: String, returnsRunning: Bool) {
        team.suspend(because: reason, returnsRunning: returnsRunning)
    }

    /// Starts jobs again after `suspend`.
    public func resume() { team.resume() }

    /// Whether every lane has looked at the queue since the start.
    public var isClaiming: Bool { team.pulse.hasLooked }

    /// Whether no lane is stuck, by a clock that nobody sets.
    ///
    /// A lane lives when it has ended, has looked at the queue within so many seconds, or does a job or waits for the queue
    /// while leases are renewed as often. One whose job was asked to stop has a minute for it, beside its calls to the
    /// queue and the cache.
    public func isAlive(withinSeconds seconds: Double) -> Bool {
        team.pulse.isAlive(withinSeconds: seconds)
    }

    /// What it does now and has done since its start.
    public var figures: WorkerFigures {
        var figures = team.tally.figures
        figures.running = team.book.count
        return figures
    }

    /// Jobs that it leaves to other workers, because its own disk could never hold their results.
    public var leftJobs: [JobID] { team.leftJobs.present() }

    /// Why it has ended by itself; nil while it goes on, and where somebody has ended it.
    public var failure: Failure? { team.run.failure }

    /// Returns once every lane has ended.
    public func finished() async { await team.run.ended() }
}

internal import Foundation
internal import TakeupCache
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTelemetry
internal import TakeupMediaClient

/// One lane: takes a job, does it, finishes it, and takes the next.
final class WorkLane {
    private let number: Int
    private let team: WorkerContext
    private let helper: ExportHelper
    private let probing: HelperConfiguration

    init(_ number: Int, _ team: WorkerContext) {
        (self.number, self.team) = (number, team)
        var configuration = team.configuration.helper
        configuration.scratchParent = team.presence.scratch
        (helper, probing) = (ExportHelper(configuration), configuration)
    }

    /// Works until the worker drains or stops.
    func run() {
        defer { team.pulse.end(number) }
        while team.run.phase == .working {
            team.pulse.look(number)
            guard team.gate.need == nil, !team.run.isSuspended else {
                team.run.pause(seconds: team.configuration.idleSeconds, in: .working)
                team.look.foundJob(at: .now)
                continue
            }
            let calls = team.run.calls
            if lookForWork(calls) {
                Failpoint.afterJob.pass(team.configuration.failpoint)
            } else {
                // A sign of life at least each second.
                let seconds = min(1, team.look.secondsToLook(at: .now))
                if seconds > 0 { team.run.awaitWork(seconds: seconds, after: calls) }
            }
        }
        helper.stop()
    }

    /// Takes a job, if it is this lane's turn to look for one.
    ///
    /// - Returns: Whether there was a job.
    private func lookForWork(_ calls: Int) -> Bool {
        guard team.look.begins(at: .now, calls: calls) else { return false }
        do throws(JobStoreError) {
            if try takeOne() { return true }
            team.look.foundNone(at: .now, seconds: team.idleSeconds)
        } catch {
            team.noteQueue(error)
            let isServer = team.store.folder == nil
            team.look.foundNone(
                at: .now, seconds: isServer ? 1 : team.configuration.idleSeconds)
        }
        return false
    }

    /// - Returns: Whether there was a job.
    private func takeOne() throws(JobStoreError) -> Bool {
        let before = ContinuousClock.now
        let seconds = team.configuration.leaseSeconds
        var scope = team.configuration.scope
        scope.leftJobs = team.leftJobs.present()
        team.pulse.ask(number)
        defer { team.pulse.look(number) }
        guard
            let (lease, record) = try team.store.claim(
                by: team.presence.id, leaseSeconds: seconds, in: scope)
        else { return false }
        team.pulse.look(number)
        // There may be more of them.
        team.look.foundJob(at: .now)
        team.run.callLanes()
        team.tally.addClaim(
            record, at: team.store.now(), seconds: (ContinuousClock.now - before) / .seconds(1))
        let attempt = record.machine.attempt
        let hold = LeaseHold(
            lease, attempt: attempt, leaseSeconds: seconds, claimedAt: before,
            timeoutSeconds: record.spec.timeoutSeconds)
        team.book.add(hold)
        defer {
            team.book.remove(hold)
            // What waited for the end of this one may start.
            team.look.foundJob(at: .now)
        }
        // Suspended or drained between the lane's last look and its claim, which may have waited long.
        guard !team.run.isSuspended, team.run.phase == .working else {
            try giveBack(hold, .returned(note: nil, delaySeconds: 0))
            return false
        }
        if let wait = team.wait(of: record) {
            try giveBack(hold, wait)
            return true
        }
        team.pulse.work(number, hold)
        team.log.record(.info, "started", hold.fields + [Self.source(of: record)])
        team.events.send(.started(lease.job, attempt: attempt, lane: number))
        let work = JobAttempt(record, hold, tools(for: hold))
        let outcome = outcome(of: work)
        team.tally.addSources(bytes: work.sourceBytes)
        if let outcome { try finish(work, outcome) }
        return true
    }

    private func giveBack(_ hold: LeaseHold, _ outcome: JobOutcome) throws(JobStoreError) {
        team.pulse.ask(number)
        hold.beginEnding()
        let state = try EndingTries.write(pause: pause(for: hold)) {
            () throws(JobStoreError) in try team.store.finish(hold.lease, outcome)
        }
        guard let state else { return }
        team.noteQueueWorks()
        team.tally.addEnd(state, outcome)
    }

    /// Makes the pauses between tries to write the end of a job.
    ///
    /// - Parameters:
    ///   - hold: The job's.
    ///   - isHeld: Whether the end is still to be written: the loss of the lease makes that vain.
    /// - Returns: Waits so many seconds after an error; `false` says that another try is in vain.
    private func pause(
        for hold: LeaseHold, isHeld: Bool = true
    ) -> (Double, JobStoreError) -> Bool {
        var givesUpAt: ContinuousClock.Instant?
        var isUnknown = false
        return { [team] seconds, error in
            team.noteQueue(error, hold.fields)
            isUnknown = isUnknown || error.isOutcomeUnknown
            team.run.pause(seconds: seconds, in: team.run.phase)
            if team.run.phase >= .stopping {
                // A worker that has been told to stop tries for a lease's length, and no longer.
                let end = givesUpAt ?? .now + .seconds(team.configuration.leaseSeconds)
                givesUpAt = end
                guard ContinuousClock.now < end else { return false }
            }
            // An end that was written and not confirmed has ended the lease, too: the next try finds out.
            if isHeld, !isUnknown, case .leaseLost = hold.stop { return false }
            return true
        }
    }

    private func tools(for hold: LeaseHold) -> WorkTools {
        WorkTools(
            store: team.store, cache: team.cache, configuration: team.configuration,
            helper: helper, probing: probing, threads: team.threadsForOneMore(), logs: team.logs,
            emit: { [events = team.events] in events.send($0) },
            noteOutage: { [team, fields = hold.fields] in team.noteQueue(.store($0), fields) },
            noteObjects: { [team, fields = hold.fields] in team.noteObjects($0, fields) })
    }

    /// - Returns: nil when nothing may be written any more.
    private func outcome(of work: JobAttempt) -> JobOutcome? {
        do throws(AttemptEnd) {
            return try work.perform()
        } catch {
            switch error {
            case .outcome(let outcome): return outcome
            case .noRoom(let path, let needBytes):
                team.closeGate(path, needBytes)
                return .returned(
                    note: "waits for \(needBytes) bytes of free space in \(path)",
                    delaySeconds: work.waitSeconds)
            case .diskTooSmall(let reason):
                team.leftJobs.add(work.spec.id)
                return .returned(
                    note: "waits for a worker with a larger disk: \(reason)",
                    delaySeconds: work.waitSeconds)
            case .placeClosed(let folder, let reason):
                team.closePlace(folder, reason)
                return .returned(
                    note: JobRecord.note(waitingFor: folder, because: reason),
                    delaySeconds: work.waitSeconds)
            case .cacheLost(let failure):
                team.end(failure)
                return .returned(note: nil, delaySeconds: 0)
            case .stopped: return stopped(work)
            case .queue(let error):
                team.noteQueue(error, work.hold.fields)
                return nil
            }
        }
    }

    private func stopped(_ work: JobAttempt) -> JobOutcome? {
        switch work.hold.stop {
        case .cancelled: return .cancelled
        case .timedOut:
            return .failed(
                .timedOut(after: work.spec.timeoutSeconds ?? 0), retryable: false)
        case .workerStops: return .returned(note: nil, delaySeconds: 0)
        case .leaseLost, nil:
            team.tally.addLeaseLoss()
            team.log.record(.warning, "has lost its lease; given up", work.hold.fields)
            return nil
        }
    }

    /// Sums that nobody can trust less for missing one: a failure to add is only told.
    private func count(_ outcome: JobOutcome, _ record: JobRecord, _ hold: LeaseHold) {
        do throws(CacheError) {
            if case .succeeded(let result) = outcome {
                try team.cache.count(
                    .export(mediaSeconds: result.duration, workSeconds: result.seconds))
            }
            if case .crashed = outcome { try team.cache.count(.crash) }
            if record.state == .scheduled, record.fault != nil { try team.cache.count(.retry) }
        } catch {
            team.log.record(.warning, "counting failed: \(error)", hold.fields)
        }
    }

    private static func source(of record: JobRecord) -> LogField {
        LogField("source", record.spec.shownSources.joined(separator: ", "))
    }

    /// What came of a job.
    private static func fields(of record: JobRecord) -> [LogField] {
        if let result = record.result, [.succeeded, .cached].contains(record.state) {
            return [LogField("output", result.output), LogField("bytes", Int(result.bytes))]
        }
        return [record.note ?? record.fault?.message].compactMap(\.self)
            .map { LogField("reason", $0) }
    }

    private func finish(_ work: JobAttempt, _ outcome: JobOutcome) throws(JobStoreError) {
        work.pass(.beforeFinish)
        work.hold.beginEnding()
        let lease = work.hold.lease
        let state = try EndingTries.write(pause: pause(for: work.hold)) {
            () throws(JobStoreError) in try team.store.finish(lease, outcome)
        }
        guard state != nil else {
            team.tally.addLeaseLoss()
            team.log.record(.warning, "has lost its lease; refused", work.hold.fields)
            return
        }
        team.noteQueueWorks()
        if case .succeeded = outcome { team.noteObjectsWork() }
        work.pass(.afterFinish)
        // Who waits for the job has to hear of its end, though the database is away just now.
        let record = try EndingTries.write(pause: pause(for: work.hold, isHeld: false)) {
            () throws(JobStoreError) in
            try team.store.job(lease.job)
        }
        guard let record else { return }
        count(outcome, record, work.hold)
        team.tally.addEnd(record.state, outcome)
        team.settlePlaces(of: record)
        team.log.record(
            .info, record.state.rawValue,
            work.hold.fields + [Self.source(of: record)] + Self.fields(of: record))
        team.events.send(.ended(record))
    }
}

internal import TakeupJobs
internal import TakeupLanes

/// Adds up what the lanes of one worker do.
final class WorkTally: Sendable {
    private let state = Locked(WorkerFigures())

    var figures: WorkerFigures { state.withLock { $0 } }

    func addClaim(_ record: JobRecord, at time: Double, seconds: Double) {
        let waited = max(0, time - record.runAt)
        state.withLock { state in
            state.claims += 1
            state.claimSeconds += seconds
            state.waitSeconds += waited
        }
    }

    func addSources(bytes: Int64) {
        state.withLock { $0.sourceBytes += bytes }
    }

    func addEnd(_ ended: JobState, _ outcome: JobOutcome) {
        state.withLock { state in
            state.ended[ended, default: 0] += 1
            guard case .succeeded(let result) = outcome else { return }
            state.mediaSeconds += result.duration
            state.workSeconds += result.seconds
            state.outputBytes += result.bytes
        }
    }

    func addLeaseLoss() {
        state.withLock { $0.leaseLosses += 1 }
    }

    func addRescues(_ count: Int) {
        state.withLock { $0.rescues += count }
    }
}

internal import TakeupModel

extension JobRecord {
    /// Why the job is in its state, in one sentence; without `now`, points in time are absolute.
    package func reason(now: Double?) -> String {
        switch state {
        case .queued: return note ?? "waits for a worker to take it"
        case .scheduled: return scheduled(now)
        case .running:
            if let now, let until = leaseUntil, until < now {
                return "its worker gives no sign of life; the next worker takes it over"
            }
            return machine.isCancelRequested
                ? "its worker was asked to stop" : "a worker is busy with it"
        case .succeeded: return "done"
        case .cached: return "the same work had been done before"
        case .failed:
            let count = machine.failures
            return count > 1 ? "failed in each of \(count) attempts" : "failed in its only attempt"
        case .cancelled: return "cancelled by request"
        case .quarantined:
            return
                "crashed its helper \(machine.crashes) times; it runs again only if it is retried"
        }
    }

    private func scheduled(_ now: Double?) -> String {
        let time =
            now.map { Timestamp.relative(runAt, now: $0) }
            ?? Timestamp.iso(runAt) ?? "later"
        if machine.attempt == 1, spec.notBefore == runAt {
            return "is not to start before \(time)"
        }
        let cause = note ?? (fault == nil ? nil : "the last attempt failed")
        return "starts again \(time)" + (cause.map { ": \($0)" } ?? "")
    }
}

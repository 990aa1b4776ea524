import TakeupJobs

/// Watches a queue from outside, step by step, and says which promise it broke.
///
/// It knows only what was asked, what was answered, and the state of each job after it.
struct QueueLedger {
    private struct Entry {
        var isKnown = false
        var state = JobState.queued
        /// Of the last claim.
        var token: Int64 = 0
        /// Whether that claim's attempt may still write.
        var isHeld = false
        var isToStop = false
    }

    /// Every state that a job was in.
    private(set) var seen: Set<JobState> = [.queued]
    private var entries = [Entry](repeating: Entry(), count: ModelStep.jobs)
    private var lastToken: Int64 = 0

    /// - Parameters:
    ///   - step: What was asked.
    ///   - lease: What the step's slot held.
    ///   - answer: What was answered.
    ///   - jobs: All jobs after it.
    /// - Returns: What was broken; nil when all is well.
    mutating func check(
        _ step: ModelStep, _ lease: ModelLease?, _ answer: ModelAnswer, _ jobs: [QueueModel.Job]
    ) -> String? {
        if let broken = checkAnswer(step, lease, answer) { return broken }
        for index in 0..<ModelStep.jobs {
            if let broken = checkJob(index, step, jobs[index]) { return broken }
        }
        return nil
    }

    private mutating func checkAnswer(
        _ step: ModelStep, _ lease: ModelLease?, _ answer: ModelAnswer
    ) -> String? {
        switch answer {
        case .claimed(let lease): return claimed(lease)
        case .renewed(.kept), .renewed(.cancelRequested), .admitted, .busy, .announced(true):
            return isLate(lease) ? "a late write was taken" : nil
        case .ended(.some):
            defer { if let lease { entries[lease.job].isHeld = false } }
            return isLate(lease) ? "a late end was taken" : nil
        case .rescued(let jobs):
            for job in jobs {
                guard entries[job].isHeld else { return "rescued job \(job), which none held" }
                entries[job].isHeld = false
            }
            return nil
        case .asked(.stopWorker):
            if case .cancel(let job) = step { entries[job].isToStop = true }
            return nil
        case .asked(.letWorkerGoOn):
            guard case .retry(let job) = step, entries[job].isHeld, entries[job].isToStop else {
                return "a cancel was taken back that nobody had asked for"
            }
            entries[job].isToStop = false
            return nil
        case .asked(.requeue): return renewed(step)
        case .accepted(.accepted), .accepted(.again): return renewed(step)
        case .nothing, .accepted, .renewed(.locked), .renewed(.lost), .leaseLost, .announced(false),
            .ended(nil), .asked, .pruned:
            return nil
        }
    }

    private func isLate(_ lease: ModelLease?) -> Bool {
        guard let lease else { return true }
        return !entries[lease.job].isHeld || entries[lease.job].token != lease.token
    }

    private mutating func claimed(_ lease: ModelLease) -> String? {
        guard lease.token > lastToken else { return "token \(lease.token) after \(lastToken)" }
        lastToken = lease.token
        guard !entries[lease.job].isHeld else { return "two hold job \(lease.job)" }
        guard !entries[lease.job].isToStop else { return "a claim after the cancel" }
        entries[lease.job].token = lease.token
        entries[lease.job].isHeld = true
        return nil
    }

    /// A user lets a job begin anew.
    private mutating func renewed(_ step: ModelStep) -> String? {
        switch step {
        case .submit(let job, _, _, _), .retry(let job):
            let entry = entries[job]
            guard !entry.isHeld else { return "job \(job) began anew while it ran" }
            guard !entry.isKnown || entry.state.isTerminal else {
                return "job \(job) began anew while it was \(entry.state)"
            }
            entries[job].isToStop = false
            entries[job].isKnown = true
            entries[job].state = .queued
            return nil
        case .wait, .claim, .renew, .begin, .announce, .finish, .rescue, .cancel, .prune:
            return "only a user begins a job anew"
        }
    }

    private mutating func checkJob(
        _ index: Int, _ step: ModelStep, _ job: QueueModel.Job
    ) -> String? {
        let (state, before) = (job.machine.state, entries[index].state)
        guard job.isKnown == entries[index].isKnown else {
            guard case .prune = step, before.isTerminal else { return "job \(index) is lost" }
            entries[index] = Entry()
            return nil
        }
        guard job.isKnown else { return nil }
        if state != before {
            guard !before.isTerminal else { return "job \(index) left \(before) for \(state)" }
            entries[index].state = state
            seen.insert(state)
        }
        guard (state == .running) == entries[index].isHeld else {
            return "job \(index) is \(state), held: \(entries[index].isHeld)"
        }
        let machine = job.machine
        guard machine.failures <= machine.retries + 1 else { return "job \(index): too many tries" }
        guard machine.crashes <= JobStateMachine.crashLimit else {
            return "job \(index): too many crashes"
        }
        return nil
    }
}

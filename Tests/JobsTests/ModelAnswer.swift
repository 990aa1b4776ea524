import TakeupJobs

/// What a queue answers to a step.
enum ModelAnswer: Equatable {
    case nothing
    case accepted(Acceptance)
    case claimed(ModelLease)
    case renewed(Renewal)
    case admitted
    case busy(job: Int)
    case leaseLost
    case announced(Bool)
    case ended(JobState?)
    /// Jobs, in the order of their numbers.
    case rescued([Int])
    case asked(JobStateMachine.Action?)
    case pruned(Int)
}

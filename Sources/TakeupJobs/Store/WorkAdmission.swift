/// Whether a job may do its work now.
public enum WorkAdmission: Sendable, Equatable {
    case admitted
    /// Another running job does the same work.
    case busy(JobID)
    case leaseLost
}

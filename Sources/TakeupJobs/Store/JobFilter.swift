/// Selects jobs by state, id and time of their end.
public struct JobFilter: Sendable, Equatable {
    /// Nil for every state.
    public var states: Set<JobState>?
    /// Nil for every id.
    public var ids: [JobID]?
    /// Only jobs that ended then or later, in seconds since 1970; nil for those that did not end as well.
    public var endedSince: Double?
    /// The most jobs to return.
    public var limit: Int

    public init(
        states: Set<JobState>? = nil, ids: [JobID]? = nil, endedSince: Double? = nil,
        limit: Int = .max
    ) {
        (self.states, self.ids) = (states, ids)
        (self.endedSince, self.limit) = (endedSince, limit)
    }
}

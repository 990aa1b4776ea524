/// Which jobs are asked for.
public struct JobFilter: Sendable, Equatable {
    /// Nil for every state.
    public var states: Set<JobState>?
    /// Nil for every id.
    public var ids: [JobID]?
    /// The most jobs to return.
    public var limit: Int

    public init(states: Set<JobState>? = nil, ids: [JobID]? = nil, limit: Int = .max) {
        (self.states, self.ids, self.limit) = (states, ids, limit)
    }
}

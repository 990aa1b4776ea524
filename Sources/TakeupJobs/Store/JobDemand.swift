/// What jobs that have not ended ask of a worker.
public struct JobDemand: Sendable, Equatable {
    /// The queue that they are in.
    public let queue: String
    /// What their worker must have.
    public let tags: [String]
    /// How many jobs ask for just this: 1 or more.
    public let count: Int

    /// From `JobSpec.need`.
    init(need: String, count: Int) {
        let parts = need.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        queue = parts.first.flatMap { $0.isEmpty ? nil : String($0) } ?? ClaimScope.defaultQueue
        tags = parts.count > 1 ? parts[1].split(separator: ",").map(String.init) : []
        self.count = count
    }
}

extension ClaimScope {
    /// Returns true if a worker of this scope may take such jobs.
    public func accepts(_ demand: JobDemand) -> Bool {
        queues?.contains(demand.queue) ?? true && tags.isSuperset(of: demand.tags)
    }

    /// Returns true if a worker of this scope may take a job that asks for this, as `JobSpec.need` writes it.
    func accepts(_ need: String) -> Bool { accepts(JobDemand(need: need, count: 1)) }
}

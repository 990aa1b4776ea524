public import TakeupModel

/// A job under the id that it was submitted by, and what the queue said to it.
public struct JobSubmission: Sendable, Equatable {
    public var spec: JobSpec
    public var answer: Acceptance

    public init(spec: JobSpec, answer: Acceptance) {
        (self.spec, self.answer) = (spec, answer)
    }

    public var id: JobID { spec.id }

    /// Why the queue did not take it; nil when it has it now.
    public var fault: Failure? {
        switch answer {
        case .accepted, .duplicate, .again: nil
        case .conflict: .conflict(spec.id)
        case .refused(let fault): fault
        }
    }
}

extension JobStore {
    /// Submits jobs; those whose ids the user did not give go out of the way of others that have theirs.
    ///
    /// - Returns: One submission a job, in order.
    /// - Throws: What `submit` throws.
    public func place(_ specs: [JobSpec]) throws(StoreFailure) -> [JobSubmission] {
        let specs = try settled(specs)
        var placed = zip(specs, try submit(specs)).map { JobSubmission(spec: $0, answer: $1) }
        let met = placed.indices.filter { index in
            placed[index].answer == .conflict && placed[index].spec.hasAutomaticID
        }
        guard !met.isEmpty else { return placed }
        for index in met { placed[index].spec.id = placed[index].spec.distinctID }
        for (index, answer) in zip(met, try submit(met.map { placed[$0].spec })) {
            placed[index].answer = answer
        }
        return placed
    }

    /// The jobs under the ids that they have in the queue, or will have.
    ///
    /// One that differs from the job under the plain id, in its output say, leaves that one alone.
    ///
    /// - Throws: What `jobs` throws.
    public func settled(_ specs: [JobSpec]) throws(StoreFailure) -> [JobSpec] {
        var settled = specs
        let unnamed = specs.indices.filter { specs[$0].hasAutomaticID }
        guard !unnamed.isEmpty else { return specs }
        for index in unnamed { settled[index].id = specs[index].automaticID }
        var owners: [JobID: JobSpec] = [:]
        for known in try jobs(JobFilter(ids: unnamed.map { settled[$0].id })) {
            owners[known.spec.id] = known.spec
        }
        let others = unnamed.filter { index in
            !(owners[settled[index].id]?.isSameWork(as: settled[index]) ?? false)
        }.map { (index: $0, distinct: specs[$0].distinctID) }
        let apart = try states(JobFilter(ids: others.map(\.distinct)))
        for (index, distinct) in others
        where apart[distinct] != nil || owners[settled[index].id] != nil {
            settled[index].id = distinct
        }
        return settled
    }
}

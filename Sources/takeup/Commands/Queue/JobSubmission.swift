import TakeupIntake
import TakeupJobs

/// A job under the id that it was submitted by, and what the queue said to it.
struct JobSubmission: Sendable, Equatable {
    var spec: JobSpec
    var answer: Acceptance
}

extension QueueAccess {
    /// Submits jobs; those whose ids the user did not give go out of the way of others that have theirs.
    func place(_ specs: [JobSpec]) throws(Failure) -> [JobSubmission] {
        let specs = try settled(specs)
        var placed = zip(specs, try submit(specs)).map(JobSubmission.init)
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

    /// The jobs under the ids that the queue has for them already, where these are not the plain ones.
    func settled(_ specs: [JobSpec]) throws(Failure) -> [JobSpec] {
        let unnamed = specs.indices.filter { specs[$0].hasAutomaticID }
        guard !unnamed.isEmpty else { return specs }
        let known = try states(JobFilter(ids: unnamed.map { specs[$0].id }))
        let distinct = unnamed.filter { known[specs[$0].id] != nil }
            .map { ($0, specs[$0].distinctID) }
        guard !distinct.isEmpty else { return specs }
        let apart = try states(JobFilter(ids: distinct.map(\.1)))
        var settled = specs
        for (index, id) in distinct where apart[id] != nil { settled[index].id = id }
        return settled
    }
}

import Foundation
import TakeupJobs
import TakeupModel
import TakeupService

/// What every command on the cache is told: where it is and what it may grow to.
struct CacheOptions: Sendable, Equatable {
    private let state: StateOptions
    private let limits: CacheLimitOptions

    init(_ input: CommandInput) throws(UsageError) {
        state = StateOptions(input)
        limits = try CacheLimitOptions(input)
    }

    func open(in context: CommandContext) throws(Failure) -> CacheAccess {
        try context.openCache(try state.places(in: context), limits.limits)
    }

    /// The job of an id that the cache does not know; nil where there is none, or no queue that can be read.
    func job(_ id: String, in context: CommandContext) -> JobRecord? {
        guard let places = try? state.places(in: context),
            (try? places.hasQueue()) == true,
            let queue = try? context.openQueue(places)
        else { return nil }
        return try? queue.job(JobID(rawValue: id))
    }
}

import Foundation
import TakeupClient
import TakeupJobs
import TakeupModel
import TakeupService

/// What every command on the cache is told: where it is and what it may grow to.
struct CacheOptions: Sendable, Equatable {
    private let state: StateOptions
    private let limits: CacheLimitOptions
    private let style: OutputStyle

    init(_ input: CommandInput) throws(UsageError) {
        state = StateOptions(input)
        limits = try CacheLimitOptions(input)
        style = OutputStyle(input)
    }

    /// Whether the cache is that of a server.
    var asksServer: Bool { state.server?.isSet == true }

    func open(in context: CommandContext) throws(Failure) -> CacheAccess {
        if let client = try state.server?.client(in: context, style) { return CacheAccess(client) }
        return try context.openCache(try state.places(in: context), limits.limits)
    }

    /// The job of an id that the cache does not know; nil where there is none, or no queue that can be read.
    func job(_ id: String, in context: CommandContext) -> JobRecord? {
        if !asksServer {
            guard let places = try? state.places(in: context), (try? places.hasQueue()) == true
            else { return nil }
        }
        return try? state.openQueue(in: context, style).job(JobID(rawValue: id))
    }
}

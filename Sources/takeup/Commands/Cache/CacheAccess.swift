import TakeupJobs
import TakeupModel
import TakeupService

/// The part of the cache that commands use; tests bring one that acts as they need.
struct CacheAccess: Sendable {
    /// Something that `clean` chose.
    struct Eviction: Sendable, Equatable {
        enum Outcome: String, Sendable {
            case removed, planned, inUse
            /// Used, pinned or removed by somebody else meanwhile.
            case kept
        }

        let id: String
        let bytes: Int64
        /// In a few words, such as `expired`.
        let reason: String
        let outcome: Outcome
    }

    /// Something that `verify` found wrong.
    struct Damage: Sendable, Equatable {
        let id: String
        let problem: String
    }

    /// What became of an entry that was to be removed.
    enum RemovalOutcome: Sendable, Equatable {
        case removed
        case pinned
        /// Somebody reads it now.
        case inUse
        case unknown
    }

    var entries: @Sendable () throws(Failure) -> [CacheEntry]
    /// Finds an entry by its id, counts a hit and the bytes saved, or a miss.
    var use: @Sendable (String) throws(Failure) -> CacheEntry?
    /// Finds what would answer a job, as far as its sources are known; counts nothing.
    var answer: @Sendable (JobSpec) throws(Failure) -> CacheEntry?
    var figures: @Sendable () throws(Failure) -> CacheFigures
    /// Pins or unpins an entry; false for one that is not there.
    var setPinned: @Sendable (String, Bool) throws(Failure) -> Bool
    var remove: @Sendable (String) throws(Failure) -> RemovalOutcome
    /// Removes what the limits say has to go, or only tells it.
    var clean: @Sendable (_ isDryRun: Bool) throws(Failure) -> [Eviction]
    /// Hashes every file again, drops what is damaged, and says how many were looked at.
    var verify: @Sendable () throws(Failure) -> (checked: Int, damages: [Damage])
}

extension Failure {
    /// For entries, with the way to find their names.
    static func unknownEntries(_ ids: [String]) -> Failure {
        unknown("cache entry", ids, hint: "'takeup cache list' names them")
    }
}

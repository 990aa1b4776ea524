package import TakeupCache
package import TakeupJobs
package import TakeupModel

/// The part of the cache that commands use; tests bring one that acts as they need.
package struct CacheAccess: Sendable {
    /// Something that `clean` chose.
    package struct Eviction: Sendable, Equatable {
        package enum Outcome: String, Sendable {
            case removed, planned, inUse
            /// Used, pinned or removed by somebody else meanwhile.
            case kept
        }

        package let id: String
        package let bytes: Int64
        /// In a few words, such as `expired`.
        package let reason: String
        package let outcome: Outcome

        package init(id: String, bytes: Int64, reason: String, outcome: Outcome) {
            (self.id, self.bytes, self.reason, self.outcome) = (id, bytes, reason, outcome)
        }

        package var json: JSONValue {
            [
                "id": .text(id), "bytes": .integer(bytes), "reason": .text(reason),
                "outcome": .text(outcome.rawValue),
            ]
        }
    }

    /// Something that `verify` found wrong.
    package struct Damage: Sendable, Equatable {
        package let id: String
        package let problem: String

        package init(id: String, problem: String) { (self.id, self.problem) = (id, problem) }

        package var json: JSONValue { ["id": .text(id), "problem": .text(problem)] }
    }

    /// What became of an entry that was to be removed.
    package enum RemovalOutcome: Sendable, Equatable {
        case removed
        case pinned
        /// Somebody reads it now.
        case inUse
        case unknown
    }

    package var entries: @Sendable () throws(Failure) -> [CacheEntry]
    /// Finds an entry by its id, counts a hit and the bytes saved, or a miss.
    package var use: @Sendable (String) throws(Failure) -> CacheEntry?
    /// Gives out an address of an entry that lives so many seconds, and counts that as `use` does.
    ///
    /// nil for an entry that is not there.
    package var address: @Sendable (String, Int) throws(Failure) -> MediaCache.ResultAddress? = {
        _, _ in nil
    }
    /// Finds an entry by its id; counts nothing.
    package var find: @Sendable (String) throws(Failure) -> CacheEntry? = { _ in nil }
    /// Finds what would answer a job, as far as its sources are known; counts nothing.
    package var answer: @Sendable (JobSpec) throws(Failure) -> CacheEntry?
    package var figures: @Sendable () throws(Failure) -> CacheFigures
    /// Pins or unpins an entry; false for one that is not there.
    package var setPinned: @Sendable (String, Bool) throws(Failure) -> Bool
    package var remove: @Sendable (String) throws(Failure) -> RemovalOutcome
    /// Removes what the limits say has to go, or only tells it.
    package var clean: @Sendable (_ isDryRun: Bool) throws(Failure) -> [Eviction]
    /// Hashes every file again, drops what is damaged, and says how many were looked at.
    package var verify: @Sendable () throws(Failure) -> (checked: Int, damages: [Damage])

    package init(
        entries: @escaping @Sendable () throws(Failure) -> [CacheEntry],
        use: @escaping @Sendable (String) throws(Failure) -> CacheEntry?,
        answer: @escaping @Sendable (JobSpec) throws(Failure) -> CacheEntry?,
        figures: @escaping @Sendable () throws(Failure) -> CacheFigures,
        setPinned: @escaping @Sendable (String, Bool) throws(Failure) -> Bool,
        remove: @escaping @Sendable (String) throws(Failure) -> RemovalOutcome,
        clean: @escaping @Sendable (_ isDryRun: Bool) throws(Failure) -> [Eviction],
        verify: @escaping @Sendable () throws(Failure) -> (checked: Int, damages: [Damage])
    ) {
        self.entries = entries
        self.use = use
        self.answer = answer
        self.figures = figures
        self.setPinned = setPinned
        self.remove = remove
        self.clean = clean
        self.verify = verify
    }
}

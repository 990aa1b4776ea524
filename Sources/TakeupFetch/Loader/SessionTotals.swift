internal import TakeupLanes

/// What a library's sessions together cost their origins and their readers, since the process began.
package struct SessionTotals: Sendable, Equatable {
    package private(set) var requests = 0
    package private(set) var bytes: Int64 = 0
    package private(set) var discardedBytes: Int64 = 0
    package private(set) var retries = 0
    package private(set) var versionChanges = 0
    /// Readers that joined a session instead of fetching on their own.
    package private(set) var coalesced = 0
    package private(set) var readerStalls = 0
    package private(set) var readerStallSeconds = 0.0

    package init() {}

    mutating func add(_ log: SessionLog) {
        requests += log.originRequests
        bytes += log.originBytes
        discardedBytes += log.discardedBytes
        retries += log.retries
        versionChanges += log.versionChanges
        coalesced += log.coalesced
        readerStalls += log.readerStalls
        readerStallSeconds += log.readerStallSeconds
    }

    /// Takes the larger of each number: a counter never falls, also while a session is ending.
    package mutating func rise(to other: SessionTotals) {
        requests = max(requests, other.requests)
        bytes = max(bytes, other.bytes)
        discardedBytes = max(discardedBytes, other.discardedBytes)
        retries = max(retries, other.retries)
        versionChanges = max(versionChanges, other.versionChanges)
        coalesced = max(coalesced, other.coalesced)
        readerStalls = max(readerStalls, other.readerStalls)
        readerStallSeconds = max(readerStallSeconds, other.readerStallSeconds)
    }
}

extension SourceLibrary {
    /// What all sessions cost so far; may miss one that is just ending.
    package var sessionTotals: SessionTotals {
        // Ended sessions first: one that ends in between is left out, not counted twice.
        var use = ended.total
        for session in sessions {
            let log = session.currentLog
            if log.endedAt == nil { use.add(log) }
        }
        return use
    }
}

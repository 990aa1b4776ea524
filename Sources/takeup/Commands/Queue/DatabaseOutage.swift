import TakeupModel

/// A database that does not answer for a while: waited out, and told once.
///
/// A server may restart and a file may be busy while a command follows its jobs; both are no reason to leave them.
struct DatabaseOutage {
    private var isTold = false

    /// - Throws: `failure`, if waiting does not help against it.
    mutating func begin(_ failure: Failure, _ talk: Console) throws(Failure) {
        guard failure.disposition == .retry else { throw failure }
        // A lock is let go of before anybody has read a word about it.
        guard failure.exitCode != .temporary, !isTold else { return }
        isTold = true
        talk.warning("\(failure.message); waiting for it")
    }

    mutating func end(_ talk: Console) {
        guard isTold else { return }
        isTold = false
        talk.note("the database answers again")
    }
}

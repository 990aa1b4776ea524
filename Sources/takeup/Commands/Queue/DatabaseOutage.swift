import TakeupModel

/// A database, or a server before it, that does not answer for a while: waited out, and told once.
///
/// A server may restart and a file may be busy while a command follows its jobs; both are no reason to leave them.
struct DatabaseOutage {
    /// What does not answer, once that has been told.
    private var told: String?

    /// - Throws: `failure`, if waiting does not help against it.
    mutating func begin(_ failure: Failure, _ talk: Console) throws(Failure) {
        guard failure.disposition == .retry else { throw failure }
        // A lock is let go of before anybody has read a word about it.
        guard failure.exitCode != .temporary, told == nil else { return }
        told = failure.code == "serverUnreachable" ? "server" : "database"
        talk.warning("\(failure.message); waiting for it")
    }

    mutating func end(_ talk: Console) {
        guard let told else { return }
        self.told = nil
        talk.note("the \(told) answers again")
    }
}

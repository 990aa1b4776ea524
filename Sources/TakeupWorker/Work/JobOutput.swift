internal import TakeupCache

/// A job's output besides the cache: whether it is there, and how it comes there.
protocol JobOutput {
    /// As the job names it.
    var path: String { get }

    /// Looks before any work whether the output could be placed.
    ///
    /// - Parameter sources: None of them is ever written over.
    /// - Throws: `AttemptEnd.outcome`.
    func check(_ sources: OpenSources) throws(AttemptEnd)

    /// Whether the name is in use and may not be taken from who has it.
    ///
    /// - Throws: `AttemptEnd` when that cannot be told.
    func isTaken() throws(AttemptEnd) -> Bool

    /// Sees before any work that the output could be written.
    ///
    /// - Throws: `AttemptEnd`, which has the job wait.
    func requirePlace() throws(AttemptEnd)

    /// Whether just this content stands at a place already.
    ///
    /// - Parameters:
    ///   - place: Where.
    ///   - bytes: How many there have to be.
    ///   - sha256: What they have to be.
    ///   - work: Whose output it is.
    /// - Returns: `false` also when the work was stopped.
    /// - Throws: `AttemptEnd`.
    func isPresent(
        _ place: String, bytes: Int64, sha256: String, for work: JobAttempt
    ) throws(AttemptEnd) -> Bool

    /// Brings a result to its place, whole or not at all.
    ///
    /// - Parameters:
    ///   - result: The caller holds it until the call returns.
    ///   - failpoints: Where a test kills the process.
    ///   - confirm: Asked with the very name, directly before it is given; throws when it may not be.
    ///   - isStopped: Asked while bytes are copied.
    /// - Returns: Where it stands.
    /// - Throws: `AttemptEnd`.
    func publish(
        _ result: CachedResult, _ failpoints: Failpoint.Plan?,
        confirm: (String) throws(AttemptEnd) -> Void, isStopped: () -> Bool
    ) throws(AttemptEnd) -> String
}

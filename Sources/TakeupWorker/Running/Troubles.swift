internal import TakeupLanes

/// What does not work for now, so that each trouble is told once and not at every look.
final class Troubles: Sendable {
    private let state = Locked<[String: String]>([:])

    /// - Parameters:
    ///   - activity: What was tried.
    ///   - reason: Why it failed.
    /// - Returns: Whether that is new.
    func begin(_ activity: String, _ reason: String) -> Bool {
        state.withLock { $0.updateValue(reason, forKey: activity) != reason }
    }

    /// - Returns: Whether there was any.
    @discardableResult
    func end(_ activity: String) -> Bool {
        state.withLock { $0.removeValue(forKey: activity) != nil }
    }
}

/// What waits besides jobs.
public struct WatchBacklog: Sendable, Equatable {
    /// Number of failed actions on sources that wait for another try, by watched folder.
    ///
    /// A folder without such actions has no entry.
    public var actions: [String: Int]
    /// Events that hooks have not been told yet.
    public var hookEvents: Int

    public init(actions: [String: Int] = [:], hookEvents: Int = 0) {
        (self.actions, self.hookEvents) = (actions, hookEvents)
    }
}

/// What waits besides jobs.
public struct WatchBacklog: Sendable, Equatable {
    /// Actions on sources that could not be done and are tried again, by watched folder; none stands for 0.
    public var actions: [String: Int]
    /// Events that hooks have not been told yet.
    public var hookEvents: Int

    public init(actions: [String: Int] = [:], hookEvents: Int = 0) {
        (self.actions, self.hookEvents) = (actions, hookEvents)
    }
}

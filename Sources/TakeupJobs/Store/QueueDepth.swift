/// What has not ended in a queue, in numbers.
public struct QueueDepth: Sendable, Equatable {
    public var queued = 0
    /// Those that wait for their time, or for another try.
    public var scheduled = 0
    public var running = 0
    /// How long the job that has been due for longest has waited; 0 when none is due.
    public var oldestSeconds = 0.0

    public init() {}
}

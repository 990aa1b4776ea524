/// What has not ended in a queue, in numbers.
public struct QueueDepth: Sendable, Equatable {
    public var queued = 0
    /// Jobs that wait for their start time, or for another try.
    public var scheduled = 0
    public var running = 0
    /// Longest time, in seconds, that a due job has waited; 0 if no job is due.
    public var oldestSeconds = 0.0

    public init() {}
}

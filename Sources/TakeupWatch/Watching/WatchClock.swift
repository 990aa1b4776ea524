/// The times that a watcher goes by.
public struct WatchClock: Sendable {
    /// Seconds of a clock that only goes forward.
    public var forward: @Sendable () -> Double
    /// Seconds since 1970.
    public var wall: @Sendable () -> Double

    public init(forward: @escaping @Sendable () -> Double, wall: @escaping @Sendable () -> Double) {
        (self.forward, self.wall) = (forward, wall)
    }
}

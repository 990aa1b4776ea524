/// What a daemon is told at its start.
package struct DaemonSettings: Sendable {
    /// The command's name, for the label of its metrics.
    package var command: String
    /// When jobs may start; nil for always.
    package var schedule: WorkSchedule?
    /// Absolute; nil writes no metrics.
    package var metricsPath: String?
    /// How long running jobs may go on at the end, in seconds.
    package var drainSeconds: Double
    /// Of the program, for systemd's socket.
    package var environment: [String: String]
    package var clock: DaemonClock

    package init(
        command: String, schedule: WorkSchedule?, metricsPath: String?, drainSeconds: Double,
        environment: [String: String], clock: DaemonClock
    ) {
        (self.command, self.schedule, self.metricsPath) = (command, schedule, metricsPath)
        (self.drainSeconds, self.environment, self.clock) = (drainSeconds, environment, clock)
    }
}

/// The clocks that a daemon goes by; tests bring their own.
package struct DaemonClock: Sendable {
    /// Seconds of a clock that never goes back.
    package var now: @Sendable () -> Double
    /// Seconds since 1970.
    package var wallClock: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Double, wallClock: @escaping @Sendable () -> Double
    ) {
        (self.now, self.wallClock) = (now, wallClock)
    }
}

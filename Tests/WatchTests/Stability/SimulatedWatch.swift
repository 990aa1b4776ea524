import TakeupWatch

/// Looks at a simulated file as a daemon would, and notes when it takes the file.
struct SimulatedWatch {
    /// Between two looks at a file that waits.
    var lookSeconds = 1.5
    /// Whether it is told at once of a file that is closed or moved in.
    var hasEvents = true
    /// Whether it can ask if a file is open for writing.
    var seesWriters = true
    var isNetwork = false

    /// - Returns: When the file is taken; nil when it is not within an hour after its end.
    func takes(_ writer: SimulatedWriter, firstLook: Double = 0) -> Double? {
        var clock = StabilityClock(StabilitySettings(isNetwork: isNetwork))
        var looks = Array(
            stride(from: firstLook, to: writer.endSeconds + 3_600, by: lookSeconds))
        let ends = writer.moments.filter(\.isDone).map(\.seconds)
        if hasEvents { looks = (looks + ends.map { $0 + 0.01 }).sorted() }
        var before = -1.0
        for now in looks {
            guard let moment = writer.last(at: now) else { continue }
            let isDone = hasEvents && ends.contains { $0 > before && $0 <= now }
            before = now
            let sighting = FileSighting(
                moment.identity, now: now, wallSeconds: SimulatedWriter.wallAtZero + now,
                isDone: isDone)
            let isSettled = clock.observe("clip.mov", sighting) == .settled
            if isSettled, !(seesWriters && moment.isOpen) { return now }
        }
        return nil
    }
}

internal import TakeupTelemetry

/// Decides what the service manager is told, and when.
///
/// All times are seconds of one clock that never goes back.
struct ServiceLife: Sendable {
    /// What is so now.
    struct Facts: Sendable, Equatable {
        /// Whether everything is there that work needs.
        var isReady = false
        /// Whether nothing is stuck.
        var isAlive = true
        /// For people.
        var status = ""
    }

    private enum Phase: Equatable {
        case starting, ready, reloading, stopping, ended
    }

    /// Between two texts for people.
    private static let statusSeconds = 2.0
    /// How much longer a start or an end may take is said anew so often, and for so long.
    static let extensionEvery = 5.0
    static let extensionSeconds = 20.0
    /// After so long a start gets no more time: the first scan of a slow folder may take its while, a hung one not for ever.
    static let longestStart = 3600.0
    /// What an end may take beyond the time for running jobs: they have to be given back.
    static let endingSeconds = 30.0

    private let watchdogSeconds: Double?
    private let drainSeconds: Double
    private let beganAt: Double
    private var phase = Phase.starting
    private var stoppingAt = 0.0
    private var told = ""
    private var toldAt = -Double.infinity
    private var pingedAt = -Double.infinity
    private var extendedAt = -Double.infinity
    /// What the manager was too busy to take, in the order in which it is said again.
    private var owed: [ServiceMessage.Phase] = []

    /// - Parameters:
    ///   - watchdogSeconds: How often at least the manager wants to hear that the process lives; nil for never.
    ///   - drainSeconds: How long running jobs may take to end.
    ///   - now: The present.
    init(watchdogSeconds: Double?, drainSeconds: Double, now: Double) {
        (self.watchdogSeconds, self.drainSeconds) = (watchdogSeconds, drainSeconds)
        beganAt = now
    }

    /// How recent a sign of life has to be for the process to live.
    ///
    /// With half the manager's interval a stuck process is silent before one has passed, and one that hesitates for
    /// less than a whole one is never ended.
    var aliveSeconds: Double { (watchdogSeconds ?? 120) / 2 }

    /// Between two looks.
    var tickSeconds: Double { min(1, (watchdogSeconds ?? 8) / 8) }

    /// What is to be said now; nil for nothing.
    mutating func look(_ facts: Facts, now: Double) -> ServiceMessage? {
        guard phase != .ended else { return nil }
        var message = ServiceMessage()
        if phase == .starting, facts.isReady {
            message.phase = .ready
            phase = .ready
        }
        if !owed.isEmpty { message.phase = owed.removeFirst() }
        if facts.status != told, message.phase != nil || now - toldAt >= Self.statusSeconds {
            message.status = facts.status
            (told, toldAt) = (facts.status, now)
        }
        if let watchdogSeconds, facts.isAlive, now - pingedAt >= watchdogSeconds / 2 - 0.01 {
            message.isAlive = true
            pingedAt = now
        }
        // A disk that hangs holds up a start, but is no reason to begin it anew.
        if facts.isAlive || phase == .starting { message.extensionSeconds = moreTime(now) }
        return message.isEmpty ? nil : message
    }

    /// Takes back a message that the manager was too busy to take, so that the next look says it anew.
    mutating func takeBack(_ message: ServiceMessage) {
        if let phase = message.phase, isOwed(phase) { owed.insert(phase, at: 0) }
        if message.status != nil { (told, toldAt) = ("", -.infinity) }
        if message.isAlive { pingedAt = -.infinity }
        if message.extensionSeconds != nil { extendedAt = -.infinity }
    }

    /// Whether it still has to be said; nothing else has once the end has begun.
    private func isOwed(_ said: ServiceMessage.Phase) -> Bool {
        switch phase {
        case .ended: false
        case .stopping: said == .stopping
        case .starting, .ready, .reloading: true
        }
    }

    /// What the manager is told before settings are read anew; nil when there is nothing to tell.
    mutating func reload(monotonicMicroseconds time: UInt64) -> ServiceMessage? {
        guard phase == .ready else { return nil }
        phase = .reloading
        return inTurn(.reloading(monotonicMicroseconds: time))
    }

    /// And afterwards, whether or not they could be used.
    mutating func endReload() -> ServiceMessage? {
        guard phase == .reloading else { return nil }
        phase = .ready
        return inTurn(.ready)
    }

    /// What is owed is said before, so that the manager sees each reload begin before it ends.
    private mutating func inTurn(_ phase: ServiceMessage.Phase) -> ServiceMessage? {
        guard !owed.isEmpty else { return ServiceMessage(phase) }
        owed.append(phase)
        return nil
    }

    /// What the manager is told at the beginning of the end; nil when it has been told.
    mutating func stop(now: Double) -> ServiceMessage? {
        guard phase != .stopping, phase != .ended else { return nil }
        (phase, stoppingAt) = (.stopping, now)
        owed = []
        extendedAt = -.infinity
        var message = ServiceMessage(.stopping)
        message.extensionSeconds = moreTime(now)
        return message
    }

    /// Nothing is said any more.
    mutating func end() { phase = .ended }

    /// - Returns: How much longer a start or an end may take; nil when that need not be said now.
    private mutating func moreTime(_ now: Double) -> Double? {
        let deadline: Double
        switch phase {
        case .starting: deadline = beganAt + Self.longestStart
        case .stopping: deadline = stoppingAt + drainSeconds + Self.endingSeconds
        case .ready, .reloading, .ended: return nil
        }
        guard now < deadline, now - extendedAt >= Self.extensionEvery - 0.01 else { return nil }
        extendedAt = now
        return min(Self.extensionSeconds, deadline - now)
    }
}

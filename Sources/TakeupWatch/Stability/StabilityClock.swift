public import TakeupFiles

/// Tells for each file from when on it counts as whole, by what was seen of it.
///
/// A file is whole when nothing of it changed for `stableSeconds`, and for three times the longest
/// pause between two of its changes, unless its writer has closed it, which is believed until the
/// file goes on growing after all. Look at waiting files every second or two: the time between two
/// looks counts as a part of a pause. A clock cannot detect a writer's first pause that is longer
/// than `stableSeconds`: ask `Writers` before you take a settled file.
public struct StabilityClock: Sendable {
    public enum Verdict: Sendable, Equatable {
        /// It may be taken.
        case settled
        /// It can be settled at this time of the forward clock, in seconds, and not before.
        case waiting(untilSeconds: Double)
    }

    private struct Entry: Sendable {
        var identity: FileIdentity
        /// When it was last looked at.
        var seenAt: Double
        /// When it was first seen as it is now.
        var sameSince: Double
        /// From when on nothing of it has changed.
        var stillSince: Double
        var longestPause = 0.0
        /// Whether its writer has closed it since its last change.
        var isDone: Bool
        /// Whether it grew after a writer had closed it.
        var isDistrusted = false
    }

    public let settings: StabilitySettings
    private var entries: [ExactPath: Entry] = [:]

    public init(_ settings: StabilitySettings) {
        self.settings = settings
    }

    /// How many files are remembered.
    public var count: Int { entries.count }

    /// Takes one look at a file into account.
    ///
    /// - Parameters:
    ///   - path: What the file is known by.
    ///   - sighting: Its `now` is never before that of an earlier one.
    /// - Returns: `settled` at the second of two equal looks at the earliest; an empty file always waits.
    public mutating func observe(_ path: String, _ sighting: FileSighting) -> Verdict {
        var entry = entries[ExactPath(path)].map { updated($0, sighting) } ?? first(sighting)
        entry.isDone = entry.isDone || sighting.isDone
        entry.seenAt = max(entry.seenAt, sighting.now)
        entries[ExactPath(path)] = entry
        let wait = waitSeconds(entry)
        guard entry.identity.bytes > 0 else { return .waiting(untilSeconds: sighting.now + wait) }
        let end = max(
            entry.stillSince + wait, entry.sameSince + StabilitySettings.secondLookSeconds)
        return sighting.now >= end ? .settled : .waiting(untilSeconds: end)
    }

    /// Remembers a file as it was when it was taken, unless more is known of it: when it has grown since, it was not
    /// whole, and the pause that its writer made is learnt.
    ///
    /// - Parameters:
    ///   - path: What the file is known by.
    ///   - identity: As it was then.
    ///   - now: Of the forward clock, in seconds.
    ///   - wallSeconds: Since 1970.
    public mutating func recall(
        _ path: String, _ identity: FileIdentity, now: Double, wallSeconds: Double
    ) {
        guard entries[ExactPath(path)] == nil else { return }
        let sighting = FileSighting(identity, now: now, wallSeconds: wallSeconds)
        let age = max(0, sighting.ageSeconds - settings.skewSeconds)
        entries[ExactPath(path)] = Entry(
            identity: identity, seenAt: now - age, sameSince: now - age, stillSince: now - age,
            isDone: true)
    }

    /// Forgets a file that is gone or taken.
    public mutating func forget(_ path: String) {
        entries[ExactPath(path)] = nil
    }

    /// Forgets every file, as when none was looked at for a while.
    public mutating func forgetAll() {
        entries = [:]
    }

    /// A file that was never seen is as still as its age says when it is old, else from now on.
    private func first(_ sighting: FileSighting) -> Entry {
        let age = sighting.ageSeconds - settings.skewSeconds
        let stillSeconds = age >= StabilitySettings.oldSeconds ? age : 0
        return Entry(
            identity: sighting.identity, seenAt: sighting.now, sameSince: sighting.now,
            stillSince: sighting.now - stillSeconds, isDone: sighting.isDone)
    }

    private func updated(_ old: Entry, _ sighting: FileSighting) -> Entry {
        var entry = old
        let (before, after) = (old.identity, sighting.identity)
        guard before != after else { return entry }
        guard (before.device, before.inode) == (after.device, after.inode) else {
            return first(sighting)
        }
        (entry.identity, entry.sameSince) = (after, sighting.now)
        // It changed after the last look: no earlier, whatever its own times say.
        let unseenSeconds = max(0, sighting.now - old.seenAt)
        let ageSeconds = max(0, sighting.ageSeconds - settings.skewSeconds)
        entry.stillSince = sighting.now - min(unseenSeconds, ageSeconds)
        let pause = max(0, entry.stillSince - old.stillSince)
        // After a writer's word, a file of the same size was written again; before it, one whose room
        // was set aside is being filled.
        let isRewritten = after.bytes < before.bytes || old.isDone && after.bytes == before.bytes
        let isAnew = isRewritten || pause > StabilitySettings.longestSeconds
        // An empty file that begins to be filled has broken no word: programs make names in advance.
        let isBroken = old.isDone && before.bytes > 0
        entry.longestPause = isAnew ? 0 : max(old.longestPause, pause)
        entry.isDistrusted = !isAnew && (old.isDistrusted || isBroken)
        entry.isDone = false
        return entry
    }

    private func waitSeconds(_ entry: Entry) -> Double {
        let least = settings.stableSeconds
        if entry.isDone, !entry.isDistrusted { return least }
        let learnt = StabilitySettings.pauseFactor * entry.longestPause
        return max(least, min(learnt, StabilitySettings.longestSeconds))
    }
}

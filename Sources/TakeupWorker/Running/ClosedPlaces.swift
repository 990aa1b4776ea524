internal import TakeupFiles
internal import TakeupLanes

/// Folders that outputs cannot be written to now: a read-only, forbidden or full disk says nothing about a job.
///
/// Jobs for them go back to the queue without any work until a file can be made there again.
final class ClosedPlaces: Sendable {
    private struct Closed {
        let reason: String
        var triedAt: ContinuousClock.Instant
        /// Jobs that were given back lately: half of them are forgotten with each try.
        var waiting = 0
        /// Whether a file could be made there since, and no job has come to its end there yet.
        var isOnTrial = false
    }

    /// What becomes of a job whose output goes to a folder.
    enum Verdict: Equatable {
        case open
        case closed(reason: String, delaySeconds: Double)
    }

    /// Between two tries to write to a closed folder.
    private static let trySeconds = 1.0
    private static let longestDelaySeconds = 60.0
    /// What each job that waits adds to the delay: a long queue for a closed folder is not turned round all the time.
    private static let delayStep = 0.05

    private let closed = Locked<[String: Closed]>([:])

    /// - Returns: Whether that is to be said: once for each reason, until a job has come to its end there.
    func close(_ folder: String, because reason: String) -> Bool {
        closed.withLock { closed in
            let before = closed[folder]
            closed[folder] = Closed(
                reason: reason, triedAt: .now, waiting: before?.waiting ?? 0)
            return before?.reason != reason
        }
    }

    /// Whether a job may begin whose files go to these folders.
    ///
    /// - Parameters:
    ///   - folder: Absolute.
    ///   - delaySeconds: For a job that has to wait, at least.
    ///   - attempt: Tries to write there; throws when that is not possible.
    /// - Returns: Whether it may, or how long it waits.
    func look(
        at folder: String, delaySeconds: Double,
        attempt: (String) throws(FileError) -> Void = WritableFolder.require
    ) -> Verdict {
        let isDue = closed.withLock { closed -> Bool? in
            guard let place = closed[folder], !place.isOnTrial else { return nil }
            guard ContinuousClock.now - place.triedAt >= .seconds(Self.trySeconds) else {
                return false
            }
            closed[folder]?.triedAt = .now
            closed[folder]?.waiting /= 2
            return true
        }
        guard let isDue else { return .open }
        if isDue, (try? attempt(folder)) != nil {
            closed.withLock { $0[folder]?.isOnTrial = true }
            return .open
        }
        return closed.withLock { closed in
            closed[folder]?.waiting += 1
            guard let place = closed[folder] else { return .open }
            let delay = min(Self.longestDelaySeconds, Double(place.waiting) * Self.delayStep)
            return .closed(reason: place.reason, delaySeconds: max(delaySeconds, delay))
        }
    }

    /// Notes that a job's files stand in a folder.
    ///
    /// - Returns: Whether it was said that it is closed, and is to be said that it is so no more.
    func settle(_ folder: String) -> Bool {
        closed.withLock { closed in
            guard closed[folder]?.isOnTrial == true else { return false }
            closed[folder] = nil
            return true
        }
    }
}

package import TakeupMediaClient
internal import TakeupModel
package import TakeupWatch
internal import TakeupWorker

/// Looks into files in a sealed process; confined to one lane.
package final class FileProbe {
    /// A file that cannot be looked into so often is taken with nothing known of it: its job says what is wrong.
    private static let mostTries = 3

    private let probe: MediaProbe
    /// Failed looks, by path.
    private var tries: [ExactPath: Int] = [:]

    package init(_ probe: MediaProbe) { self.probe = probe }

    /// - Parameters:
    ///   - descriptor: The open file.
    ///   - path: From the watched folder on.
    ///   - isStopped: Asked meanwhile.
    /// - Returns: What was found; of one that is no media, nothing but its path.
    /// - Throws: `WatchError.unavailable` for what may be otherwise the next time.
    package func examine(
        _ descriptor: Int32, _ path: String, isStopped: () -> Bool
    ) throws(WatchError) -> WatchDelegate.Examination {
        var found = FileFacts(path: path)
        do throws(MediaProbeError) {
            let media = try probe.facts(of: descriptor, name: path, isStopped: isStopped)
            tries[ExactPath(path)] = nil
            (found.seconds, found.width, found.height) = (media.seconds, media.width, media.height)
            (found.videoCodec, found.audioCodec) = (media.videoCodec, media.audioCodec)
            (found.languages, found.hasVideo) = (media.languages, media.hasVideo)
            return WatchDelegate.Examination(found, gap: media.cutShort)
        } catch {
            if case .refused = error { return WatchDelegate.Examination(found) }
            let count = (tries[ExactPath(path)] ?? 0) + 1
            guard count < Self.mostTries || isStopped() else {
                tries[ExactPath(path)] = nil
                return WatchDelegate.Examination(found)
            }
            tries[ExactPath(path)] = count
            throw .unavailable(path: path, reason: error.failure.message)
        }
    }

    package func endIfIdle() { probe.endIfIdle() }
}

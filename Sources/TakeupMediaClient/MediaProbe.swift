internal import Foundation
internal import TakeupProcess

/// Looks into media files in a sealed child process, so that foreign bytes are never parsed in this one.
///
/// The child is started with the first file and kept for the next ones; it is replaced after a crash, after many
/// files, and when it keeps too much memory. Confined to one lane.
public final class MediaProbe {
    /// How long things may take.
    public struct Limits: Sendable, Equatable {
        /// For one file, from 0.1; the start of a child comes on top.
        public var seconds = 10.0
        /// Until a child without work is ended by `endIfIdle()`.
        public var idleSeconds = 60.0

        public init() {}
    }

    /// How often everything but messages is looked at, in seconds.
    private static let intervalSeconds = 0.1

    private let configuration: HelperConfiguration
    private let limits: Limits
    private let now: () -> ContinuousClock.Instant
    private var connection: HelperConnection?
    private var usedAt: ContinuousClock.Instant

    /// Starts nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: How children are started, and the memory that they may hold.
    ///   - limits: Of time.
    ///   - now: The clock of idleness.
    public init(
        _ configuration: HelperConfiguration = HelperConfiguration(), limits: Limits = Limits(),
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        (self.configuration, self.limits, self.now) = (configuration, limits, now)
        usedAt = now()
    }

    /// The process number of the child; nil while there is none.
    public var pid: Int32? { connection?.child.pid }

    /// Looks into a file, and waits for it.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's, and where it stands does not change.
    ///   - name: What the file is called in errors.
    ///   - isStopped: Asked ten times a second; once it says so, the look ends at once.
    /// - Returns: What was found. Of a large file that takes longer than there is time, what shows without
    ///   reading all of it.
    /// - Throws: `MediaProbeError`; the next file can be looked into whatever it is.
    public func facts(
        of descriptor: Int32, name: String, isStopped: () -> Bool = { false }
    ) throws(MediaProbeError) -> MediaFacts {
        defer { usedAt = now() }
        let isUsed = connection != nil
        do throws(MediaProbeError) {
            return try look(descriptor, name, isStopped)
        } catch {
            guard case .crashed = error, isUsed else { throw error }
            // The end of a child that has seen other files may be their doing.
            return try look(descriptor, name, isStopped)
        }
    }

    /// Ends a child that has had no work for long enough; cheap otherwise.
    public func endIfIdle() {
        guard connection != nil, now() - usedAt >= .seconds(limits.idleSeconds) else { return }
        stop()
    }

    /// Ends the child; the next file starts another one.
    public func stop() {
        connection?.stop()
        connection = nil
    }

    private func look(
        _ descriptor: Int32, _ name: String, _ isStopped: () -> Bool
    ) throws(MediaProbeError) -> MediaFacts {
        let connection = try begin(descriptor, name)
        // Whatever goes wrong, this child is not used again.
        self.connection = nil
        let facts: MediaFacts
        do throws(MediaProbeError) {
            facts = try attend(connection, isStopped)
        } catch {
            guard case .refused = error else { throw error }
            keep(connection)
            throw error
        }
        if facts.isChecked { keep(connection) }
        return facts
    }

    private func keep(_ connection: HelperConnection) {
        connection.exports += 1
        if connection.exports >= configuration.mostExports
            || connection.child.residentBytes > configuration.idleMemoryBytes
        {
            connection.stop()
        } else {
            self.connection = connection
        }
    }

    private func begin(
        _ descriptor: Int32, _ name: String
    ) throws(MediaProbeError) -> HelperConnection {
        let task = HelperTask.probe(name: name)
        do throws(ProcessError) {
            // One that has ended since the last file is replaced.
            if let connection, connection.child.wait(timeoutSeconds: 0) == nil,
                (try? connection.order(task, [descriptor])) != nil
            {
                return connection
            }
            connection = nil
            let connection = try HelperConnection(configuration)
            try connection.order(task, [descriptor])
            return connection
        } catch {
            throw .unavailable(error)
        }
    }

    private func attend(
        _ connection: HelperConnection, _ isStopped: () -> Bool
    ) throws(MediaProbeError) -> MediaFacts {
        let end = ContinuousClock.now + .seconds(limits.seconds)
        var glance: MediaFacts?
        while true {
            connection.drainLog()
            if isStopped() { throw .cancelled }
            let left = (end - ContinuousClock.now) / .seconds(1)
            guard left > 0 else {
                if let glance { return glance }
                throw .tooSlow(seconds: limits.seconds)
            }
            let bytes = connection.child.residentBytes
            guard bytes <= configuration.memoryBytes else { throw .memoryExceeded(bytes: bytes) }
            switch connection.next(timeoutSeconds: min(left, Self.intervalSeconds)) {
            case .none, .message(.beat): continue
            case .message(.glanced(var facts)):
                facts.isChecked = false
                glance = facts.bounded
            case .message(.answer(.probed(let facts))): return facts.bounded
            case .message(.failed(let failure)): throw .refused(failure.report)
            case .message, .end: throw .crashed(connection.crash())
            }
        }
    }
}

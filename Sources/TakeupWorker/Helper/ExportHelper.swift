internal import Foundation
public import TakeupProcess

/// Exports in a sealed child process, so that foreign bytes are never decoded in this one.
///
/// The child is started with the first export and kept for the next; it is replaced after a crash, after many
/// exports, and when it keeps too much memory. Confined to one lane.
public final class ExportHelper {
    /// How long a helper that was asked to stop may take before it is killed.
    private static let graceSeconds = 0.7
    /// How often everything but messages is looked at.
    private static let intervalSeconds = 0.1

    private let configuration: HelperConfiguration
    private var connection: HelperConnection?

    /// Starts nothing yet.
    public init(_ configuration: HelperConfiguration = HelperConfiguration()) {
        self.configuration = configuration
    }

    /// The process number of the child; nil while there is none.
    public var pid: Int32? { connection?.child.pid }

    /// Exports, and waits for it.
    ///
    /// - Parameters:
    ///   - request: What to do.
    ///   - files: Open for reading, one for each of the request's names, in order, and a second behind each that is
    ///     still being fetched; and an empty file open for reading and writing. All stay the caller's.
    ///   - isStopped: Asked ten times a second; once it says so, the export ends within a second.
    ///   - isWaiting: Asked as often: whether the export waits for bytes of a source, which is no hang.
    ///   - onEvent: Called on this lane.
    /// - Returns: How it ended. The output's content is worth nothing unless it finished.
    /// - Throws: `ProcessError` when no helper can be started, which is no fault of the export.
    public func run(
        _ request: HelperRequest, _ files: (sources: [Int32], output: Int32),
        isStopped: () -> Bool = { false }, isWaiting: () -> Bool = { false },
        onEvent: (HelperEvent) -> Void = { _ in }
    ) throws(ProcessError) -> HelperRun {
        var connection = try begin(request, files.sources + [files.output])
        var outcome = attend(connection, isStopped, isWaiting, onEvent)
        if case .crashed = outcome, !connection.hasAnswered, connection.exports > 0 {
            // It had gone before it saw this order, which is no fault of the export.
            connection = try begin(request, files.sources + [files.output])
            outcome = attend(connection, isStopped, isWaiting, onEvent)
        }
        connection.drainLog()
        let run = HelperRun(
            outcome: outcome, log: connection.logText, sandbox: connection.sandbox)
        connection.exports += 1
        if connection.exports >= configuration.mostExports
            || connection.child.residentBytes > configuration.idleMemoryBytes
        {
            stop()
        }
        return run
    }

    /// Ends the child; the next export starts another one.
    public func stop() {
        connection?.stop()
        connection = nil
    }

    private func begin(
        _ request: HelperRequest, _ descriptors: [Int32]
    ) throws(ProcessError) -> HelperConnection {
        let order = HelperMessage.run(request)
        if let connection {
            do throws(ProcessError) {
                try connection.order(order, descriptors)
                return connection
            } catch {
                // It has ended since the last export; another one is started.
                guard error.errno == EPIPE || error.errno == ECONNRESET else { throw error }
                self.connection = nil
            }
        }
        let connection = try HelperConnection(configuration)
        try connection.order(order, descriptors)
        self.connection = connection
        return connection
    }

    private func attend(
        _ connection: HelperConnection, _ isStopped: () -> Bool, _ isWaiting: () -> Bool,
        _ onEvent: (HelperEvent) -> Void
    ) -> HelperOutcome {
        var watch = HelperWatch(
            configuration, residentBytes: { connection.child.residentBytes },
            processorSeconds: { connection.child.processorSeconds })
        while true {
            connection.drainLog()
            if isStopped() { return cancel(connection) }
            if isWaiting() { watch.hear() }
            if let verdict = watch.verdict() {
                self.connection = nil
                connection.child.kill()
                return verdict
            }
            switch connection.next(timeoutSeconds: Self.intervalSeconds) {
            case .none: continue
            case .message(.beat): watch.hear()
            case .message(.event(let event)):
                watch.see(event)
                onEvent(event)
            case .message(.finished(let report)): return .finished(report)
            case .message(.failed(let report)): return .failed(report)
            case .message, .end: return crash(connection)
            }
        }
    }

    private func cancel(_ connection: HelperConnection) -> HelperOutcome {
        let end = ContinuousClock.now + .seconds(Self.graceSeconds)
        try? HelperMessage.cancel.send(on: connection.socket)
        while ContinuousClock.now < end {
            connection.drainLog()
            switch connection.next(timeoutSeconds: Self.intervalSeconds) {
            case .message(.finished), .message(.failed): return .cancelled
            case .none, .message: continue
            case .end: break
            }
            break
        }
        self.connection = nil
        connection.child.kill()
        return .cancelled
    }

    private func crash(_ connection: HelperConnection) -> HelperOutcome {
        self.connection = nil
        return .crashed(connection.crash())
    }
}

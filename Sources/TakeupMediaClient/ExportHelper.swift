internal import Foundation
package import TakeupModel
public import TakeupProcess

/// Works on media in a sealed child process, so that foreign bytes are never decoded in this one.
///
/// The child is started with the first task and kept for the next; it is replaced after a crash, after many
/// tasks, and when it keeps too much memory. Confined to one lane.
public final class ExportHelper {
    /// Where an export's output comes from.
    package enum Output {
        /// The task has none.
        case none
        /// Open files: the output's, and the poster's behind it if one is wanted.
        case open([Int32])
        /// The same, made once the plan is known.
        case planned((ExportPlan) throws(ExportError) -> [Int32])
    }

    /// What is asked while a task is done, on the lane that waits for it.
    package struct Watching {
        /// Called ten times a second; after `true` the task ends within a second.
        package var isStopped: () -> Bool = { false }
        /// Called ten times a second: whether the task waits for bytes of a source; such a wait is no hang.
        package var isWaiting: () -> Bool = { false }
        package var onEvent: (HelperEvent) -> Void = { _ in }

        package init() {}
    }

    /// How long a helper that was asked to stop may take before it is killed.
    private static let graceSeconds = 0.7
    /// How often everything but messages is looked at.
    private static let intervalSeconds = 0.1

    private var configuration: HelperConfiguration
    private var connection: HelperConnection?

    /// Starts nothing yet.
    public init(_ configuration: HelperConfiguration = HelperConfiguration()) {
        self.configuration = configuration
    }

    /// The process number of the child; nil while there is none.
    public var pid: Int32? { connection?.child.pid }

    /// Files that the child may have open at once.
    package var openFiles: Int64 { configuration.openFiles }

    /// Refuses a child that cannot be sealed whole, from the next one on.
    package func requireSandbox() { configuration.requiresSandbox = true }

    /// Starts the child ahead of the first task.
    ///
    /// - Throws: `ProcessError` when no helper can be started.
    package func start() throws(ProcessError) {
        if connection == nil { connection = try HelperConnection(configuration) }
    }

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
        isStopped: @escaping () -> Bool = { false }, isWaiting: @escaping () -> Bool = { false },
        onEvent: @escaping (HelperEvent) -> Void = { _ in }
    ) throws(ProcessError) -> HelperRun {
        var watching = Watching()
        (watching.isStopped, watching.isWaiting) = (isStopped, isWaiting)
        watching.onEvent = onEvent
        return try perform(
            .export(request), files.sources, output: .open([files.output]), watching)
    }

    /// Does a task, and waits for it.
    ///
    /// - Parameters:
    ///   - task: What to do.
    ///   - files: Open for reading, as the task asks for them; they stay the caller's.
    ///   - output: Where an export's output comes from.
    ///   - watching: Gets events, and tells whether to stop.
    /// - Returns: How it ended.
    /// - Throws: `ProcessError` when no helper can be started, which is no fault of the task.
    package func perform(
        _ task: HelperTask, _ files: [Int32], output: Output = .none,
        _ watching: Watching = Watching()
    ) throws(ProcessError) -> HelperRun {
        var connection = try begin(task, files, output)
        var outcome = attend(connection, task, output, watching)
        if case .crashed = outcome, !connection.hasAnswered, connection.exports > 0 {
            // It had gone before it saw this task, which is no fault of the task.
            connection = try begin(task, files, output)
            outcome = attend(connection, task, output, watching)
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

    /// Ends the child; the next task starts another one.
    public func stop() {
        connection?.stop()
        connection = nil
    }

    private func begin(
        _ task: HelperTask, _ files: [Int32], _ output: Output
    ) throws(ProcessError) -> HelperConnection {
        let open: [Int32]? = if case .open(let files) = output { files } else { nil }
        if let connection {
            do throws(ProcessError) {
                try connection.order(task, files, output: open)
                return connection
            } catch {
                // It has ended since the last task; another one is started.
                guard error.errno == EPIPE || error.errno == ECONNRESET else { throw error }
                self.connection = nil
            }
        }
        let connection = try HelperConnection(configuration)
        try connection.order(task, files, output: open)
        self.connection = connection
        return connection
    }

    private func attend(
        _ connection: HelperConnection, _ task: HelperTask, _ output: Output,
        _ watching: Watching
    ) -> HelperOutcome {
        var watch = HelperWatch(
            configuration, residentBytes: { connection.child.residentBytes },
            processorSeconds: { connection.child.processorSeconds })
        while true {
            connection.drainLog()
            if watching.isStopped() { return cancel(connection) }
            if watching.isWaiting() { watch.hear() }
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
                watching.onEvent(event)
                guard case .planned(let plan) = event else { continue }
                if let refusal = give(output, plan, connection) { return refusal }
            case .message(.answer(let answer)) where task.accepts(answer):
                return .answered(answer)
            case .message(.failed(let failure)): return .failed(failure)
            case .message, .end: return crash(connection)
            }
        }
    }

    /// Hands over the files that a planned export writes.
    ///
    /// - Returns: How the task ends when there are none.
    private func give(
        _ output: Output, _ plan: ExportPlan, _ connection: HelperConnection
    ) -> HelperOutcome? {
        guard case .planned(let make) = output else { return nil }
        do throws(ExportError) {
            let files = try make(plan)
            // One that no longer listens has ended, which is seen as its end.
            try? HelperMessage.output.send(on: connection.socket, files)
            return nil
        } catch {
            _ = cancel(connection)
            return .failed(HelperFailure(error))
        }
    }

    private func cancel(_ connection: HelperConnection) -> HelperOutcome {
        let end = ContinuousClock.now + .seconds(Self.graceSeconds)
        try? HelperMessage.cancel.send(on: connection.socket)
        while ContinuousClock.now < end {
            connection.drainLog()
            switch connection.next(timeoutSeconds: Self.intervalSeconds) {
            case .message(.answer), .message(.failed): return .cancelled
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

internal import Foundation
public import TakeupLanes
public import TakeupMediaClient
public import TakeupModel
internal import TakeupProcess
public import TakeupTelemetry

/// Looks into media, plans and exports for one command, in one sealed helper.
///
/// One task after the other; each waits on a lane of its own, never on the task pool.
public actor MediaService {
    private let lane = Lane("takeup.media")
    private let helper: ExportHelper
    private let log = Locked<Log>(.silent)

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        lane.asUnownedSerialExecutor()
    }

    /// Starts nothing yet.
    public init(_ configuration: HelperConfiguration = .foreground) {
        helper = ExportHelper(configuration)
    }

    /// Starts the helper while the caller goes on: what fails here fails again, and is said, with the first task.
    ///
    /// - Parameter requiresSandbox: Whether a helper that cannot be sealed whole is refused.
    public func start(requiresSandbox: Bool) {
        if requiresSandbox { helper.requireSandbox() }
        Task { begin() }
    }

    private func begin() { try? helper.start() }

    /// Ends the helper.
    public func stop() { helper.stop() }

    /// Where the media libraries' messages go from now on, at the end of each task.
    public nonisolated func listen(_ log: Log) { self.log.withLock { $0 = log } }

    /// Inspects a source whole.
    ///
    /// - Throws: `ExportError`, as the engine's own; `.process` when the helper fails.
    public func inspect(_ source: MediaSource) async throws(ExportError) -> AssetDescription {
        let open = try OpenMedia([source])
        let task = HelperTask.inspect(name: source.name, remoteLength: open.files.remoteLengths[0])
        guard case .described(let found) = try perform(task, open) else { throw .cancelled }
        return found
    }

    /// Decodes a file whole and says what is wrong with it.
    ///
    /// - Throws: As `inspect`.
    public func decode(_ path: String) async throws(ExportError) -> Verification {
        let task = HelperTask.decode(name: path)
        guard case .verified(let found) = try perform(task, try OpenMedia([.file(path)])) else {
            throw .cancelled
        }
        return found
    }

    /// Plans an export with each of some presets; asks all that can be asked before anything is rendered.
    ///
    /// - Returns: In the presets' order.
    /// - Throws: As `inspect`, for sources that cannot be read.
    public func plans(
        _ work: ForegroundWork, presets: [ExportPreset], cancellation: Cancellation? = nil
    ) throws(ExportError) -> [PlanAnswer] {
        let open = try OpenMedia(work.sources)
        let task = HelperTask.plan(work.helperRequest(for: open), presets: presets)
        guard case .planned(let answers) = try perform(task, open, cancellation) else {
            throw .cancelled
        }
        return answers
    }

    /// Says what the media libraries are, and which of these encoders and filters they have.
    ///
    /// - Throws: `.process` when the helper fails.
    public func inventory(
        encoders: Set<String>, filters: Set<String>
    ) throws(ExportError) -> MediaInventory {
        let task = HelperTask.inventory(encoders: encoders, filters: filters)
        guard case .inventory(let found) = try perform(task, try OpenMedia([])) else {
            throw .cancelled
        }
        return found
    }

    /// Runs something on the lane, for a caller that is no task and waits on a thread of its own.
    package nonisolated func start(_ body: @escaping @Sendable (isolated MediaService) -> Void) {
        lane.start { self.assumeIsolated(body) }
    }

    /// Does a task and waits for it.
    func perform(
        _ task: HelperTask, _ open: OpenMedia, _ cancellation: Cancellation? = nil,
        output: ExportHelper.Output = .none, onEvent: @escaping (HelperEvent) -> Void = { _ in }
    ) throws(ExportError) -> HelperAnswer {
        var watching = ExportHelper.Watching()
        watching.isStopped = { cancellation?.isCancelled ?? false }
        watching.isWaiting = { open.isWaiting }
        watching.onEvent = onEvent
        let run: HelperRun
        do throws(ProcessError) {
            run = try helper.perform(task, open.descriptors, output: output, watching)
        } catch {
            throw .process(Self.unavailable(error))
        }
        tell(run.log)
        // The helper only knows that a read failed.
        if let fault = open.fault, !watching.isStopped() { throw fault }
        switch run.outcome {
        case .answered(let answer): return answer
        case .cancelled: throw .cancelled
        case .failed(let failure): throw failure.error ?? .process(failure.report)
        case .crashed, .hung, .memoryExceeded:
            throw run.outcome.failure.map { .process($0) } ?? .cancelled
        }
    }

    private nonisolated func tell(_ text: String) {
        let log = log.withLock { $0 }
        for line in text.split(separator: "\n") {
            let mark = line.firstIndex(of: ":") ?? line.startIndex
            let level = LogLevel(rawValue: String(line[..<mark]))
            let words = level == nil ? line : line[mark...].dropFirst(2)
            log.record(level ?? .warning, String(words))
        }
    }

    /// Whether the machine lacked something for the moment.
    private static func isShort(_ reason: Int32) -> Bool {
        [EAGAIN, ENOMEM, EMFILE, ENFILE, ETIMEDOUT].contains(reason)
    }

    private static func unavailable(_ error: ProcessError) -> Failure {
        if error.operation == .seal {
            return Failure(
                code: "sandboxMissing", stage: ExportStage.open.rawValue,
                message: "the process that works on media cannot be sealed here",
                hint: "use a kernel that can seal it, or do not require the sandbox",
                ending: .configuration)
        }
        return Failure(
            code: "helperUnavailable", stage: ExportStage.open.rawValue,
            message: "no process could be started to work on media: \(error)",
            hint: "install \(MediaProgram.name) beside takeup or in ../libexec/takeup",
            ending: isShort(error.errno) ? Failure.Ending(.temporary, .retry) : .configuration)
    }
}

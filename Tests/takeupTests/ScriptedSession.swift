import TakeupLanes
import TakeupTimeline

@testable import TakeupModel
@testable import takeup

/// A session that reports what it was told to, and ends as it was told to or when cancelled.
final class ScriptedSession: RunningSession {
    private let progress: [ExportProgress]
    private let result: Result<ExportReport, ExportError>?
    private let state = Locked((isCancelled: false, waiter: CheckedContinuation<Void, Never>?.none))
    /// Why no plan can be made; nil when one can.
    private let refusal: ExportError?
    private let onExport: @Sendable () -> Void

    /// Without a result it runs until it is cancelled.
    init(
        progress: [ExportProgress] = [], result: Result<ExportReport, ExportError>?,
        refusal: ExportError? = nil,
        onExport: @escaping @Sendable () -> Void = {}
    ) {
        (self.progress, self.result, self.onExport) = (progress, result, onExport)
        self.refusal = refusal
    }

    private func plan() throws(ExportError) -> ExportPlan {
        if let refusal { throw refusal }
        return Self.plan
    }

    static var plan: ExportPlan {
        ExportPlan(
            sources: [], preset: ExportPreset(name: "x", description: "", container: .mp4),
            container: .mp4, audio: [], subtitles: [], chapters: [], metadata: [:],
            duration: MediaTime(seconds: Int64(10)), fastStart: true,
            decisions: [
                Decision("video", "copy h264", because: "it meets every limit"),
                Decision("audio 2", "drop\n", because: "not decodable"),
            ],
            warnings: [ExportWarning(code: "trackSkipped", message: "audio 2 is left out")])
    }

    func forecast(to path: String?, makesFolder: Bool) async throws(ExportError) -> ExportForecast {
        ExportForecast(plan: try plan(), output: path)
    }

    func checkPlace(_ path: String) {}

    func export(
        to path: String, onPlan: @escaping @Sendable (ExportPlan) -> Void
    ) async throws(ExportError) -> ExportReport {
        onExport()
        onPlan(try plan())
        if let result { return try result.get() }
        await withCheckedContinuation { continuation in
            let isCancelled = state.withLock { state in
                if !state.isCancelled { state.waiter = continuation }
                return state.isCancelled
            }
            if isCancelled { continuation.resume() }
        }
        throw .cancelled
    }

    func states(updateInterval: Duration) -> AsyncStream<ExportState> {
        AsyncStream { continuation in
            for step in progress { continuation.yield(.exporting(step)) }
            continuation.finish()
        }
    }

    func cancel() {
        let waiter = state.withLock { state in
            state.isCancelled = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// An engine that knows only this session.
    var engine: Engine {
        var engine = Engine.built
        engine.session = { _ in self }
        return engine
    }
}

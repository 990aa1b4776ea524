import TakeupModel
import TakeupWorker

/// What commands ask of an export.
protocol RunningSession: AnyObject, Sendable {
    func forecast(to path: String?, makesFolder: Bool) async throws(ExportError) -> ExportForecast
    func checkPlace(_ path: String) throws(ExportError)
    func export(
        to path: String, onPlan: @escaping @Sendable (ExportPlan) -> Void
    ) async throws(ExportError) -> ExportReport
    func states(updateInterval: Duration) -> AsyncStream<ExportState>
    func cancel()
}

extension ForegroundExport: RunningSession {}

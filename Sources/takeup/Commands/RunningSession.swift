import TakeupExport

/// What commands ask of an export session.
protocol RunningSession: AnyObject, Sendable {
    func plan() async throws(ExportError) -> ExportPlan
    func forecast(to path: String?, makesFolder: Bool) async throws(ExportError) -> ExportForecast
    func checkPlace(_ path: String) throws(ExportError)
    func export(to path: String) async throws(ExportError) -> ExportReport
    func states(updateInterval: Duration) -> AsyncStream<ExportState>
    func cancel()
}

extension ExportSession: RunningSession {}

import TakeupLanes
import TakeupMediaClient
import TakeupModel
import TakeupTelemetry
import TakeupWorker

/// What commands ask of the sealed process that works on media; tests bring one that acts as they need.
struct Engine: Sendable {
    var inspect: @Sendable (MediaSource) async throws(ExportError) -> AssetDescription
    var session: @Sendable (ForegroundWork) -> any RunningSession
    var plans: @Sendable (ForegroundWork, [ExportPreset]) async throws(ExportError) -> [PlanAnswer]
    var decodeWhole: @Sendable (String) async throws(ExportError) -> Verification
    /// What the libraries are, and which of these encoders and filters they have.
    var inventory: @Sendable (Set<String>, Set<String>) async throws(ExportError) -> MediaInventory

    /// Starts the process while the command looks at its arguments.
    ///
    /// The flag says whether a process that cannot be sealed whole is refused.
    var start: @Sendable (Bool) async -> Void = { _ in }
    /// Ends the process.
    var stop: @Sendable () async -> Void = {}
    /// Where the media libraries send their messages from now on.
    var listen: @Sendable (Log) -> Void = { _ in }

    /// One that starts `takeup-media`.
    ///
    /// - Parameter configuration: How the process is started, and what it may use.
    /// - Returns: An engine that starts the process with the first task.
    static func live(_ configuration: HelperConfiguration = .foreground) -> Engine {
        let service = MediaService(configuration)
        return Engine(
            inspect: { source async throws(ExportError) in try await service.inspect(source) },
            session: { ForegroundExport($0, in: service) },
            plans: { work, presets async throws(ExportError) in
                try await service.plans(work, presets: presets)
            },
            decodeWhole: { path async throws(ExportError) in try await service.decode(path) },
            inventory: { encoders, filters async throws(ExportError) in
                try await service.inventory(encoders: encoders, filters: filters)
            },
            start: { await service.start(requiresSandbox: $0) }, stop: { await service.stop() },
            listen: { service.listen($0) })
    }
}

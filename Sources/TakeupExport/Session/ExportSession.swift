internal import Foundation

/// Exports one composition to one file.
public final class ExportSession: Sendable {
    public init(asset: Asset, preset: ExportPreset, settings: ExportSettings = ExportSettings()) {}

    /// Joins assets in order.
    public init(
        joining assets: [Asset], preset: ExportPreset, settings: ExportSettings = ExportSettings()
    ) {}

    /// Takes the pictures of one asset and the sound of another.
    public init(
        video: Asset, audio: Asset, preset: ExportPreset,
        settings: ExportSettings = ExportSettings()
    ) {}

    /// Inspects the assets and decides everything, writing nothing.
    public func plan() async throws(ExportError) -> ExportPlan { throw .cancelled }

    /// Runs the export; returns once the finished file stands at its path.
    ///
    /// Cancelling the task that runs it cancels the export.
    public func export(to path: String) async throws(ExportError) -> ExportReport {
        throw .cancelled
    }

    /// The session's states from now on, at most one progress an interval; ends with the export.
    public func states(updateInterval: Duration = .milliseconds(250)) -> AsyncStream<ExportState> {
        AsyncStream { $0.finish() }
    }

    /// Stops the export within a second, leaving nothing behind.
    public func cancel() {}
}

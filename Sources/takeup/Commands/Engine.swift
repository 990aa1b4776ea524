import TakeupExport
import TakeupFFmpeg
import TakeupTelemetry

/// The part of the export library that commands use; tests bring one that acts as they need.
struct Engine: Sendable {
    var inspect: @Sendable (Asset) async throws(ExportError) -> AssetDescription
    var session: @Sendable (SessionRequest) -> any RunningSession
    var decodeWhole: @Sendable (String) async throws(ExportError) -> Verification

    /// Where the libraries below send their messages from now on, in the whole process.
    var listen: @Sendable (Log) -> Void = { _ in }

    static let live = Engine(
        inspect: { asset async throws(ExportError) in try await asset.inspect() },
        session: { $0.session() },
        decodeWhole: { path async throws(ExportError) in
            try await Verification.decodeWhole(path)
        },
        listen: { LogBridge.install($0) })
}

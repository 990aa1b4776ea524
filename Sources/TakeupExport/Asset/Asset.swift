public import TakeupFFmpeg
internal import TakeupLanes

/// A media source: a file now, anything that can be read by range later.
public final class Asset: Sendable {
    /// The path as it was given.
    public let name: String
    let limits: InputLimits
    private let lane = Lane("takeup.inspect")
    private let inspection = Locked<Result<InspectedAsset, ExportError>?>(nil)

    /// Names a file; nothing is opened before it is needed.
    public init(path: String, limits: InputLimits = .standard) {
        name = path
        self.limits = limits
    }

    /// Opens and inspects the asset, once; later calls get the same answer.
    ///
    /// - Throws: `ExportError` with `.inputMissing`, `.inputUnreadable`, `.inputNotPermitted`,
    ///   `.notMedia` or `.unsupported`; `.cancelled` when the task was cancelled.
    public func inspect() async throws(ExportError) -> AssetDescription {
        try await inspected().description
    }

    func inspected(
        _ cancellation: Cancellation = Cancellation()
    ) async throws(ExportError) -> InspectedAsset {
        do {
            return try await withTaskCancellationHandler {
                try await lane.run { try self.inspectOnce(cancellation) }
            } onCancel: {
                cancellation.cancel()
            }
        } catch let error as ExportError {
            throw error
        } catch {
            throw .cancelled
        }
    }

    private func inspectOnce(_ cancellation: Cancellation) throws(ExportError) -> InspectedAsset {
        if let known = inspection.withLock({ $0 }) { return try known.get() }
        do throws(ExportError) {
            let found = try AssetInspector(opened: open(), cancellation: cancellation).inspect()
            inspection.withLock { $0 = .success(found) }
            return found
        } catch {
            if error != .cancelled { inspection.withLock { $0 = .failure(error) } }
            throw error
        }
    }

    /// Opens the bytes.
    func open() throws(ExportError) -> OpenedSource {
        do throws(FFmpegError) {
            let source = try FileSource(path: name)
            return OpenedSource(source: source, name: name, limits: limits)
        } catch {
            throw ExportError(opening: name, error.status)
        }
    }
}

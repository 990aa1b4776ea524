public import TakeupFFmpeg
internal import TakeupLanes

/// A media source: a file by its path, one that is open already, or bytes from elsewhere.
public final class Asset: Sendable {
    /// The path as it was given, or what the source is called in messages.
    public let name: String
    let limits: InputLimits
    private let opened: (any ByteSource)?
    private let lane = Lane("takeup.inspect")
    private let inspection = Locked<Result<InspectedSource, ExportError>?>(nil)

    /// Names a file; nothing is opened before it is needed.
    public init(path: String, limits: InputLimits = .standard) {
        name = path
        self.limits = limits
        opened = nil
    }

    /// Takes a file that is open for reading, through a descriptor of its own.
    ///
    /// Nothing is opened by a path, then or later.
    ///
    /// - Throws: `ExportError` with `.notMedia` for what is no regular file.
    public init(
        descriptor: Int32, name: String, limits: InputLimits = .standard
    ) throws(ExportError) {
        do throws(FFmpegError) {
            opened = try FileSource(descriptor: descriptor, name: name)
        } catch {
            throw ExportError(opening: name, error.status)
        }
        self.name = name
        self.limits = limits
    }

    /// Takes bytes that come from elsewhere, such as the network.
    ///
    /// - Parameters:
    ///   - source: Read on several lanes at once. When one of its reads fails the export does too; why is known to
    ///     whoever made it.
    ///   - name: What it is called in messages.
    ///   - limits: What a hostile source is held to.
    public init(source: any ByteSource, name: String, limits: InputLimits = .standard) {
        (self.name, self.limits) = (name, limits)
        opened = source
    }

    /// How often a source may be read as a sign of life: a demuxer in an endless loop reads the same bytes for ever.
    private static let mostReads: Int64 = 1000

    /// Bytes of the source that were read so far, each time that they were, up to 1,000 times its size; 0 for a file that
    /// is opened by its path.
    public var bytesRead: Int64 {
        guard let opened else { return 0 }
        let (most, isTooLarge) = (opened.byteCount ?? .max).multipliedReportingOverflow(
            by: Self.mostReads)
        return isTooLarge ? opened.bytesRead : min(opened.bytesRead, most)
    }

    /// Opens and inspects the asset, once; later calls get the same answer.
    ///
    /// - Throws: `ExportError` with `.inputMissing`, `.inputUnreadable`, `.inputNotPermitted`,
    ///   `.notMedia` or `.unsupported`; `.cancelled` when the task was cancelled.
    public func inspect() async throws(ExportError) -> AssetDescription {
        try await inspected().description(named: name, bytes: open().source.byteCount)
    }

    /// Looks at the container and its first pictures alone, in a time that does not grow with the source.
    ///
    /// Whether anything is missing stays unknown, and durations may be guesses. Nothing of it is kept.
    ///
    /// - Throws: `ExportError`, as `inspect()`.
    public func glance() async throws(ExportError) -> AssetDescription {
        try await onLane { cancellation throws(ExportError) in
            try AssetInspector(opened: self.open(), cancellation: cancellation, isGlance: true)
                .inspect().parts[0].asset.description
        }
    }

    /// Why a source that is no media may become some, as one whose index has not been written yet.
    ///
    /// - Returns: nil when nothing of it looks like the beginning of media.
    /// - Throws: `ExportError` with `.inputUnreadable` and the like; `.cancelled`.
    public func unfinishedReason() async throws(ExportError) -> String? {
        try await onLane { _ throws(ExportError) in
            let opened = try self.open()
            return UnfinishedHead.reason(opened.source)
        }
    }

    func inspected(
        _ cancellation: Cancellation = Cancellation()
    ) async throws(ExportError) -> InspectedSource {
        try await onLane(cancellation) { cancellation throws(ExportError) in
            try self.inspectOnce(cancellation)
        }
    }

    private func onLane<Value: Sendable>(
        _ cancellation: Cancellation = Cancellation(),
        _ body: @escaping @Sendable (Cancellation) throws(ExportError) -> Value
    ) async throws(ExportError) -> Value {
        do {
            return try await withTaskCancellationHandler {
                try await lane.run { try body(cancellation) }
            } onCancel: {
                cancellation.cancel()
            }
        } catch let error as ExportError {
            throw error
        } catch {
            throw .cancelled
        }
    }

    private func inspectOnce(_ cancellation: Cancellation) throws(ExportError) -> InspectedSource {
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

    /// Opens the parts of an inspected source, each as a source of its own.
    func open(_ inspected: InspectedSource) throws(ExportError) -> [OpenedSource] {
        let pieces = SourceParts.divide(try open(), at: inspected.seams)
        return inspected.parts.map { pieces[$0.place] }
    }

    /// Opens the bytes.
    func open() throws(ExportError) -> OpenedSource {
        do throws(FFmpegError) {
            let source: any ByteSource =
                if let opened { opened } else { try FileSource(path: name) }
            return OpenedSource(source: source, name: name, limits: limits)
        } catch {
            throw ExportError(opening: name, error.status)
        }
    }
}

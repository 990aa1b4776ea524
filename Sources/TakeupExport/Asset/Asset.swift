public import TakeupFFmpeg
internal import TakeupLanes

/// A media source: a file path, an open file, or bytes from elsewhere.
public final class Asset: Sendable {
    /// The given path, or the source's name in messages.
    public let name: String
    let limits: InputLimits
    private let opened: (any ByteSource)?
    private let lane = Lane("takeup.inspect")
    private let inspection = Locked<Result<InspectedSource, ExportError>?>(nil)

    /// Creates an asset for a file path; the file is opened when needed.
    public init(path: String, limits: InputLimits = .standard) {
        name = path
        self.limits = limits
        opened = nil
    }

    /// Creates an asset for a file that is open for reading, through a duplicated descriptor.
    ///
    /// No path is ever opened.
    ///
    /// - Throws: `ExportError` with `.notMedia` if the descriptor is not a regular file.
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

    /// Creates an asset for bytes from elsewhere, for example from the network.
    ///
    /// - Parameters:
    ///   - source: The bytes, read on several lanes at once. If a read fails, the export fails too;
    ///     the source's owner knows the reason.
    ///   - name: The source's name in messages.
    ///   - limits: Limits against hostile sources.
    public init(source: any ByteSource, name: String, limits: InputLimits = .standard) {
        (self.name, self.limits) = (name, limits)
        opened = source
    }

    /// How often a re-read counts as progress: a demuxer in an endless loop reads the same bytes
    /// forever.
    private static let mostReads: Int64 = 1000

    /// Bytes read from the source so far, counted for every read, up to 1,000 times its size; 0 for
    /// a file opened by path.
    public var bytesRead: Int64 {
        guard let opened else { return 0 }
        let (most, isTooLarge) = (opened.byteCount ?? .max).multipliedReportingOverflow(
            by: Self.mostReads)
        return isTooLarge ? opened.bytesRead : min(opened.bytesRead, most)
    }

    /// Opens and inspects the asset once; later calls return the same answer.
    ///
    /// - Throws: `ExportError` with `.inputMissing`, `.inputUnreadable`, `.inputNotPermitted`,
    ///   `.notMedia` or `.unsupported`; `.cancelled` if the task was cancelled.
    public func inspect() async throws(ExportError) -> AssetDescription {
        try await inspected().description(named: name, bytes: open().source.byteCount)
    }

    /// Inspects only the container and its first pictures, in a time that does not grow with the
    /// source.
    ///
    /// Missing parts are not detected, and durations may be guesses. The result is not cached.
    ///
    /// - Throws: `ExportError`, like `inspect()`.
    public func glance() async throws(ExportError) -> AssetDescription {
        try await onLane { cancellation throws(ExportError) in
            try AssetInspector(opened: self.open(), cancellation: cancellation, isGlance: true)
                .inspect().parts[0].asset.description
        }
    }

    /// Returns why a source that is not media may become media later, for example because its index
    /// is not written yet.
    ///
    /// - Returns: nil if nothing looks like the beginning of media.
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

    /// Opens the parts of an inspected source, each as a separate source.
    ///
    /// A file that the asset opens by its path counts among the `files` that are open at once.
    func open(
        _ inspected: InspectedSource, within files: OpenFiles
    ) throws(ExportError) -> [OpenedSource] {
        let whole = try open { () throws(FFmpegError) in
            try LateFileSource(path: name, limit: files)
        }
        let opened = inspected.stillEnd.map(whole.prefix) ?? whole
        let pieces = SourceParts.divide(opened, at: inspected.seams)
        return inspected.parts.map { pieces[$0.place] }
    }

    /// Opens the bytes.
    func open() throws(ExportError) -> OpenedSource {
        try open { () throws(FFmpegError) in try FileSource(path: name) }
    }

    private func open(
        byPath: () throws(FFmpegError) -> any ByteSource
    ) throws(ExportError) -> OpenedSource {
        do throws(FFmpegError) {
            let source: any ByteSource = if let opened { opened } else { try byPath() }
            return OpenedSource(source: source, name: name, limits: limits)
        } catch {
            throw ExportError(opening: name, error.status)
        }
    }
}

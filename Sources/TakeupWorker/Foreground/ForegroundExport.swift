internal import Foundation
internal import TakeupDigest
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupMediaClient
public import TakeupModel
internal import TakeupOutput
public import TakeupS3

/// What one command exports: a request, and its sources as they are opened.
public struct ForegroundWork: Sendable {
    /// Without an output: `export(to:)` gets the path.
    public var request: ExportRequest
    /// The request's sources, in order.
    public var sources: [MediaSource]
    /// Leads to the bucket of an output that is in one.
    public var objects = S3Environment([:])

    public init(_ request: ExportRequest, sources: [MediaSource]) {
        (self.request, self.sources) = (request, sources)
    }

    /// The output in a bucket that a text names; nil for a file of this machine.
    func bucket(
        _ output: String, _ cancellation: Cancellation
    ) throws(ExportError) -> BucketOutput? {
        guard BucketOutput.isMeant(by: output) else { return nil }
        let overwrite = request.settings.overwrite
        do throws(Failure) {
            return try BucketOutput(
                output, overwrite, objects, isStopped: { cancellation.isCancelled })
        } catch {
            throw .process(error)
        }
    }

    func helperRequest(for open: OpenMedia, output: String = "") -> HelperRequest {
        var request = request
        request.output = output
        // The helper's word for it would be a hostile source's, if that had taken over.
        request.settings.computesChecksum = false
        var task = HelperRequest(
            request, sourceNames: sources.map(\.name), files: open.files)
        task.poster = request.settings.posterPath.flatMap(PosterFormat.init(path:))
        return task
    }
}

/// One export of a command: a sealed helper renders it, this process gives it its name.
public final class ForegroundExport: Sendable {
    private let service: MediaService
    private let work: ForegroundWork
    private let cancellation = Cancellation()
    private let broadcast = StateBroadcast()

    public init(_ work: ForegroundWork, in service: MediaService) {
        (self.work, self.service) = (work, service)
    }

    /// Plans, and asks all that an export asks before it renders.
    ///
    /// - Parameters:
    ///   - path: nil looks at no place.
    ///   - makesFolder: Whether the folder is made when it is missing: then the one above it has to take files.
    /// - Returns: The plan, and the name that the file would get.
    /// - Throws: What `export(to:)` would throw for the same reason; nothing is left behind.
    public func forecast(
        to path: String?, makesFolder: Bool = false
    ) async throws(ExportError) -> ExportForecast {
        let bucket = try path.flatMap { (path) throws(ExportError) in
            try work.bucket(path, cancellation)
        }
        if let path { try checkPlace(path) }
        let place =
            if let bucket { try await service.place(bucket, work) } else { String?.none }
        let answer = try await service.plans(
            work, presets: [work.request.preset], cancellation: cancellation
        ).first
        switch answer {
        case .plan(let plan):
            if let place { return ExportForecast(plan: plan, output: place) }
            return try ExportForecast(
                plan, to: path, makesFolder: makesFolder, work.request.settings)
        case .refused(let error): throw error
        case nil: throw .cancelled
        }
    }

    /// Looks whether the output and the poster may have their names; asks no server.
    ///
    /// - Throws: `ExportError` with `.outputExists` or `.outputNotCreated`.
    public func checkPlace(_ path: String) throws(ExportError) {
        let (settings, sources) = (work.request.settings, work.sources.map(\.name))
        if BucketOutput.isMeant(by: path) {
            try Destination.checkPoster(beside: path, settings: settings, sources: sources)
        } else {
            try Destination.checkAll(path, settings: settings, sources: sources)
        }
    }

    /// Runs the export; returns once the finished file stands at its path.
    ///
    /// - Parameters:
    ///   - path: Where the file goes: a path, or `s3://BUCKET/KEY`.
    ///   - onPlan: Gets the plan before anything is rendered.
    /// - Returns: What was written.
    /// - Throws: `ExportError`; nothing is left behind then.
    public func export(
        to path: String, onPlan: @escaping @Sendable (ExportPlan) -> Void = { _ in }
    ) async throws(ExportError) -> ExportReport {
        do throws(ExportError) {
            try checkPlace(path)
            broadcast.send(.exporting(ExportProgress(phase: .analyse, fraction: 0)))
            let report = try await service.export(
                work, to: path, cancellation, onPlan: onPlan
            ) { [broadcast] in broadcast.send(.exporting($0)) }
            broadcast.finish(.completed(report))
            return report
        } catch {
            broadcast.finish(error == .cancelled ? .cancelled : .failed(error))
            throw error
        }
    }

    /// The export's states from now on; ends with it.
    ///
    /// - Parameter updateInterval: At most one progress in this time, besides the first of each phase.
    /// - Returns: The present state, then each that follows; the last one tells how the export ended.
    public func states(
        updateInterval: Duration = .milliseconds(250)
    ) -> AsyncStream<ExportState> {
        broadcast.subscribe(updateInterval)
    }

    /// Stops the export within a second, leaving nothing behind.
    public func cancel() { cancellation.cancel() }
}

extension MediaService {
    /// Renders into files of this process and publishes them.
    fileprivate func export(
        _ work: ForegroundWork, to path: String, _ cancellation: Cancellation,
        onPlan: @escaping @Sendable (ExportPlan) -> Void,
        onProgress: @escaping @Sendable (ExportProgress) -> Void
    ) throws(ExportError) -> ExportReport {
        let began = ContinuousClock.now
        let bucket = try work.bucket(path, cancellation)
        if let bucket { _ = try place(bucket, work) }
        let open = try OpenMedia(work.sources)
        var files: OutputFiles?
        let task = HelperTask.export(work.helperRequest(for: open, output: path))
        let answer = try perform(
            task, open, cancellation,
            output: .planned { plan throws(ExportError) in
                onPlan(plan)
                let made = try OutputFiles(
                    for: bucket == nil ? path : nil, plan, work.request.settings)
                files = made
                return [made.output.descriptor] + (made.poster.map { [$0.descriptor] } ?? [])
            },
            onEvent: { event in
                if case .progress(let progress) = event { onProgress(progress) }
            })
        guard case .exported(var report) = answer, let files,
            report.bytes == files.output.byteCount
        else {
            // Hostile bytes may have taken over the process: what it tells must fit what is there.
            throw .verificationFailed(path, reason: "the export's process told of another file")
        }
        if let bucket {
            try send(files, to: bucket, cancellation, &report)
        } else {
            try complete(files, work.request.settings, cancellation, &report)
        }
        report.seconds = (ContinuousClock.now - began) / .seconds(1)
        return report
    }

    /// Hashes and syncs what the helper wrote, and gives it its name.
    private func complete(
        _ files: OutputFiles, _ settings: ExportSettings, _ cancellation: Cancellation,
        _ report: inout ExportReport
    ) throws(ExportError) {
        if settings.computesChecksum { report.sha256 = try hash(files, cancellation) }
        try ExportError.files(files.output.opened.synchronize)
        guard !cancellation.isCancelled else { throw .cancelled }
        try files.publish(settings.overwrite, &report)
    }

    private func hash(
        _ files: OutputFiles, _ cancellation: Cancellation
    ) throws(ExportError) -> String? {
        let output = files.output.opened
        do throws(DigestError) {
            return try SHA256Digest.ofFile(output.descriptor) { cancellation.isCancelled }
        } catch {
            throw .outputFailed(output.name, reason: "it cannot be read again: \(error)")
        }
    }

    /// Sends what the helper wrote to its bucket.
    private func send(
        _ files: OutputFiles, to bucket: BucketOutput, _ cancellation: Cancellation,
        _ report: inout ExportReport
    ) throws(ExportError) {
        guard let sha256 = try hash(files, cancellation) else { throw .cancelled }
        let content = BucketOutput.Content(
            descriptor: files.output.descriptor, bytes: files.output.byteCount, sha256: sha256)
        let name = try bucket.publish(content, failing: ExportError.init) {
            _ throws(ExportError) in
            if cancellation.isCancelled { throw .cancelled }
        }
        guard let name else { throw .outputExists("\(bucket.address)") }
        (report.output, report.sha256) = ("\(name)", sha256)
        files.publishPoster(bucket.overwrite, &report)
    }

    /// Sees before any work that an output may have its key.
    ///
    /// - Returns: The name that it would get now.
    fileprivate func place(
        _ bucket: BucketOutput, _ work: ForegroundWork
    ) throws(ExportError) -> String {
        let isSource = work.request.sources.contains { S3Address($0) == bucket.address }
        guard !isSource || bucket.overwrite == .unique else {
            throw .outputNotCreated("\(bucket.address)", reason: "it is the source itself")
        }
        let name: S3Address?
        do throws(S3Error) { name = try bucket.freeName() } catch { throw ExportError(error) }
        guard let name else { throw .outputExists("\(bucket.address)") }
        return "\(name)"
    }
}

extension ExportError {
    /// What a server's refusal means for an export's output.
    fileprivate init(_ error: S3Error) {
        self = error.kind == .cancelled ? .cancelled : .process(Failure(error))
    }
}

internal import Foundation
internal import TakeupFFmpeg
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupOutput
internal import TakeupTimeline

/// Exports one composition to one file.
///
/// A session runs only once. Any task may watch or cancel it.
public final class ExportSession: Sendable {
    private let assets: [Asset]
    private let clips: [Clip]
    private let volumes: [Int: Volume]
    public let preset: ExportPreset
    public let settings: ExportSettings
    let cancellation = Cancellation()
    private let broadcast = StateBroadcast()
    let lane = Lane("takeup.export")

    /// Creates a session that exports one asset.
    public convenience init(
        asset: Asset, preset: ExportPreset, settings: ExportSettings = ExportSettings()
    ) {
        self.init(joining: [asset], preset: preset, settings: settings)
    }

    /// Creates a session that joins assets in order; without assets, planning and exporting throw
    /// `.invalidRequest`.
    public init(
        joining assets: [Asset], preset: ExportPreset, settings: ExportSettings = ExportSettings()
    ) {
        self.assets = assets
        clips = assets.indices.map { Clip(videoSource: $0, audioSource: $0, place: $0) }
        volumes = [:]
        self.preset = preset
        self.settings = settings
    }

    /// Creates a session that combines the pictures of one asset with the sound of another.
    public init(
        video: Asset, audio: Asset, preset: ExportPreset,
        settings: ExportSettings = ExportSettings()
    ) {
        assets = [video, audio]
        clips = [Clip(videoSource: 0, audioSource: 1)]
        volumes = [:]
        self.preset = preset
        self.settings = settings
    }

    /// Creates a session for a request; `export(to:)` receives the output's path.
    ///
    /// - Parameters:
    ///   - request: The composition, preset and settings.
    ///   - assets: The sources of the request's composition, in order; nil opens them as files.
    /// - Throws: `ExportError` with `.invalidRequest` for a composition that cannot be exported, or
    ///   if the assets do not match its sources.
    public init(_ request: ExportRequest, assets: [Asset]? = nil) throws(ExportError) {
        let assets = assets ?? request.sources.map { Asset(path: $0) }
        if let fault = request.composition.fault {
            throw .invalidRequest(
                reason: fault,
                hint: "give one track of sources, parts of them and empty time, and further tracks "
                    + "of sound alone")
        }
        guard assets.count == request.sources.count else {
            throw .invalidRequest(
                reason: "it has \(request.sources.count) sources, but \(assets.count) assets",
                hint: "give one asset for each source")
        }
        self.assets = assets
        clips = Clip.clips(of: request.composition)
        volumes = Clip.volumes(of: request.composition)
        (preset, settings) = (request.preset, request.settings)
    }

    /// Inspects the assets and plans the export; writes nothing.
    ///
    /// - Throws: `ExportError` for an asset that cannot be opened or does not suit the preset.
    public func plan() async throws(ExportError) -> ExportPlan {
        var planner = try await prepare().planner
        return try planner.plan()
    }

    /// Performs all steps of `export(to:)` before rendering: inspects, plans, and checks the
    /// output's place.
    ///
    /// - Parameters:
    ///   - path: Path of the output; nil checks no place.
    ///   - makesFolder: Whether the export creates a missing folder; its parent must then permit
    ///     new files.
    /// - Returns: The plan, and the name that the file would get.
    /// - Throws: The errors of `export(to:)` for the same reasons; leaves nothing behind.
    public func forecast(
        to path: String?, makesFolder: Bool = false
    ) async throws(ExportError) -> ExportForecast {
        if let path { try checkPlace(path) }
        return try ExportForecast(
            try await foreseen(), to: path, makesFolder: makesFolder, settings)
    }

    /// Plans, and performs every check that is possible before rendering, except those of the
    /// output's place.
    ///
    /// - Throws: The errors of the export for the same reasons.
    public func foreseen() async throws(ExportError) -> ExportPlan {
        let (planner, inputs) = try await prepare()
        var first = planner
        let progress = ProgressMeter(interval: .seconds(1)) { _ in }
        return try run(planner, try first.plan(), inputs, progress).foreseen()
    }

    /// Checks whether the names of the output and the poster are available.
    ///
    /// - Throws: `ExportError` with `.outputExists` or `.outputNotCreated`.
    public func checkPlace(_ path: String) throws(ExportError) {
        try Destination.checkAll(path, settings: settings, sources: assets.map(\.name))
    }

    /// - Returns: A planner that has not planned yet.
    private func prepare() async throws(ExportError) -> (planner: ExportPlanner, inputs: RunInputs)
    {
        guard !assets.isEmpty else {
            throw .invalidRequest(
                reason: "it has no sources", hint: "give one, or several that are joined")
        }
        var inspected: [InspectedAsset] = []
        var sources: [OpenedSource] = []
        var places: [Range<Int>] = []
        for asset in assets {
            guard !cancellation.isCancelled else { throw .cancelled }
            let found = try await asset.inspected(cancellation)
            sources += try asset.open(found)
            inspected += found.parts.map(\.asset)
            places.append(inspected.count - found.parts.count..<inspected.count)
        }
        let inputs = RunInputs(sources: sources, assets: inspected)
        let clips = try clips.map { (clip) throws(ExportError) in
            let source = clip.videoSource ?? clip.audioSource
            return try clip.countedFromStart(of: source.map { inspected[places[$0].lowerBound] })
                .parts(places, assets.map(\.name))
        }.flatMap(\.self)
        let planner = ExportPlanner(
            assets: inspected, clips: clips, volumes: volumes, preset: preset, settings: settings)
        var first = planner
        let plan = try first.plan()
        if let wish = first.seamWish {
            var next = planner
            next.seams = try await seams(wish, inputs)
            return (next, inputs)
        }
        guard let range = settings.timeRange, let snapped = try await snap(plan, range, inputs)
        else { return (planner, inputs) }
        var settings = settings
        settings.timeRange = snapped
        var next = ExportPlanner(
            assets: inspected, clips: clips, volumes: volumes, preset: preset, settings: settings)
        next.noteCut(asked: range, snapped: snapped)
        return (next, inputs)
    }

    /// Runs the export; returns once the finished file exists at its path.
    ///
    /// Cancelling the calling task cancels the export.
    ///
    /// - Throws: `ExportError`; leaves nothing behind then.
    public func export(to path: String) async throws(ExportError) -> ExportReport {
        try await finish { [self] in
            try checkPlace(path)
            let made = Locked<OutputFiles?>(nil)
            let report = try await start { [settings] plan throws(ExportError) in
                let files = try OutputFiles(for: path, plan, settings)
                defer { made.withLock { $0 = files } }
                let poster = files.poster.flatMap { poster in
                    PosterFormat(path: poster.destination).map { (poster.opened, $0) }
                }
                return RenderedFiles(output: files.output.opened, poster: poster)
            }
            return try made.withLock { files in
                Result { () throws(ExportError) in
                    var named = report
                    try files?.publish(settings.overwrite, &named)
                    return named
                }
            }.get()
        }
    }

    private func finish(
        _ body: () async throws -> ExportReport
    ) async throws(ExportError) -> ExportReport {
        // Otherwise each thread's heap keeps its largest size.
        defer { FreedMemory.giveBack() }
        do {
            let report = try await withTaskCancellationHandler {
                try await body()
            } onCancel: {
                cancellation.cancel()
            }
            broadcast.finish(.completed(report))
            return report
        } catch let error as ExportError {
            broadcast.finish(error == .cancelled ? .cancelled : .failed(error))
            throw error
        } catch {
            broadcast.finish(.cancelled)
            throw .cancelled
        }
    }

    /// Runs the export into open files; returns once they are complete, verified and on disk.
    ///
    /// The caller must give the files their names later. If the assets are open files too, nothing
    /// is opened by path, so the export works in a sandbox without file access. Only two-pass
    /// encoding needs a folder for temporary files.
    ///
    /// - Parameter files: Creates the files, once the plan is known and nothing prevents it. The
    ///   files must be open for reading and writing, and the caller must close them. The export
    ///   empties the files first.
    /// - Returns: The report, with the output's name.
    /// - Throws: `ExportError`; the content of the files is then useless.
    public func render(
        into files: @escaping @Sendable (ExportPlan) async throws(ExportError) -> RenderedFiles
    ) async throws(ExportError) -> ExportReport {
        try await finish { [self] in try await start(files) }
    }

    private func start(
        _ files: @escaping @Sendable (ExportPlan) async throws(ExportError) -> RenderedFiles
    ) async throws -> ExportReport {
        broadcast.send(.exporting(ExportProgress(phase: .analyse, fraction: 0)))
        let (planner, inputs) = try await prepare()
        var first = planner
        let progress = ProgressMeter(interval: .milliseconds(100)) { [broadcast] in
            broadcast.send(.exporting($0))
        }
        let plan = try first.plan()
        try run(planner, plan, inputs, progress).refuseBeforehand()
        let written = try await files(plan)
        return try await lane.run { [self] in
            try run(planner, plan, inputs, progress).perform(into: written)
        }
    }

    private func run(
        _ planner: ExportPlanner, _ plan: ExportPlan, _ inputs: RunInputs,
        _ progress: ProgressMeter
    ) -> ExportRun {
        ExportRun(
            inputs, plan: plan, settings: settings, cancellation: cancellation,
            progress: progress
        ) { objections throws(ExportError) in
            var next = planner
            next.objections = objections
            return try next.plan()
        }
    }

    /// Returns a stream of the session's states from now on; the stream ends with the export.
    ///
    /// - Parameter updateInterval: Shortest time between two progress states, except the first of
    ///   each phase.
    /// - Returns: The current state, then each later one; the last state tells how the export
    ///   ended.
    public func states(
        updateInterval: Duration = .milliseconds(250)
    ) -> AsyncStream<ExportState> {
        broadcast.subscribe(updateInterval)
    }

    /// Stops the export within a second and leaves nothing behind.
    public func cancel() {
        cancellation.cancel()
    }
}

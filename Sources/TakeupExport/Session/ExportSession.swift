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
    let assets: [Asset]
    let clips: [Clip]
    let volumes: [Int: Volume]
    let duckings: [Int: Ducking]
    let loops: [Int: Looping]
    let background: PictureColor?
    let text: ComposedText
    /// The fonts and subtitles that `text` names.
    let textAssets: [Asset]
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
        let distinct = DistinctAssets(assets)
        self.assets = distinct.all
        clips = distinct.places.enumerated().map {
            Clip(videoSource: $1, audioSource: $1, place: $0)
        }
        (volumes, duckings, loops, background) = ([:], [:], [:], nil)
        (text, textAssets) = (ComposedText(), [])
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
        (volumes, duckings, loops, background) = ([:], [:], [:], nil)
        (text, textAssets) = (ComposedText(), [])
        self.preset = preset
        self.settings = settings
    }

    /// Creates a session for a request; `export(to:)` receives the output's path.
    ///
    /// - Parameters:
    ///   - request: The composition, preset and settings.
    ///   - assets: The sources of the request's composition, in order, its fonts and subtitles last; nil opens them as files. A source that comes
    ///     several times should be the same asset each time: it is inspected once then.
    /// - Throws: `ExportError` with `.invalidRequest` for a composition that cannot be exported, or
    ///   if the assets do not match its sources.
    public init(_ request: ExportRequest, assets: [Asset]? = nil) throws(ExportError) {
        let all = assets ?? DistinctAssets.assets(at: request.sources)
        if let fault = request.composition.fault {
            throw .invalidRequest(
                reason: fault,
                hint: "give tracks of sources, parts of them and empty time")
        }
        guard all.count == request.sources.count else {
            throw .invalidRequest(
                reason: "it has \(request.sources.count) sources, but \(all.count) assets",
                hint: "give one asset for each source")
        }
        text = ComposedText(request.composition)
        textAssets = Array(all.suffix(text.files.count))
        let assets = Array(all.dropLast(text.files.count))
        let clips = Clip.clips(of: request.composition)
        if request.composition.isWholePair {
            // Its pictures and its sound begin each for itself, even of one file.
            (self.assets, self.clips) = (assets, clips)
        } else {
            let distinct = DistinctAssets(assets)
            (self.assets, self.clips) = (distinct.all, clips.map { $0.reading(distinct.places) })
        }
        volumes = Clip.volumes(of: request.composition)
        duckings = Clip.duckings(of: request.composition)
        loops = Clip.loops(of: request.composition)
        background = request.composition.background
        (preset, settings) = (request.preset, request.settings)
    }

    /// Inspects the assets and plans the export; writes nothing.
    ///
    /// - Throws: `ExportError` for an asset that cannot be opened or does not suit the preset.
    public func plan() async throws(ExportError) -> ExportPlan {
        var planner = try await prepare(ProgressMeter(interval: .seconds(1)) { _ in }).planner
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
        let progress = ProgressMeter(interval: .seconds(1)) { _ in }
        let (planner, inputs) = try await prepare(progress)
        var first = planner
        return try run(planner, try first.plan(), inputs, progress).foreseen()
    }

    /// Checks whether the names of the output and the poster are available.
    ///
    /// - Throws: `ExportError` with `.outputExists` or `.outputNotCreated`.
    public func checkPlace(_ path: String) throws(ExportError) {
        try Destination.checkAll(
            path, settings: settings, sources: (assets + textAssets).map(\.name))
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
        let progress = ProgressMeter(interval: .milliseconds(100)) { [broadcast] in
            broadcast.send(.exporting($0))
        }
        let (planner, inputs) = try await prepare(progress)
        var first = planner
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

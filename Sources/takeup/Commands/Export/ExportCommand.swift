import TakeupFiles
import TakeupIntake
import TakeupModel
import TakeupJobs
import TakeupS3
import TakeupTimeline
import TakeupWorker

/// Exports one composition to one file in the foreground.
struct ExportCommand: Command {
    private(set) var arguments: ExportArguments
    let style: OutputStyle
    /// What of a timeline nothing was made of.
    private(set) var omitted: [ExportWarning] = []

    init(_ input: CommandInput) throws(UsageError) {
        arguments = try ExportArguments(input)
        style = OutputStyle(input)
    }

    var reportsOwnFailures: Bool { !arguments.isDryRun }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        var command = self
        let timelines = arguments.composition.sources.filter { TimelineFile.isOne($0) }
        do throws(BatchListError) {
            let reading = try TimelineFile.expand(
                arguments.composition, absolute: context.absolute)
            command.arguments.composition = reading.composition
            command.omitted = reading.omitted.map {
                ExportWarning(code: "timelineOmitted", message: $0.message)
            }
        } catch {
            throw Failure(error)
        }
        if let name = arguments.template {
            command.arguments.lay(
                out: try CompositionTemplate.resolve(
                    context.presetPlace(name), in: context.presetFolder))
        }
        if command.writesTimeline { return try command.writeTimeline(of: timelines, in: context) }
        return try await command.export(in: context)
    }

    private func export(in context: CommandContext) async throws(Failure) -> ExitCode {
        guard !arguments.isDryRun else { return try await dryRun(in: context) }
        outlastSignals(in: context)
        // Once `finished` is out, the exit code has to agree with it.
        defer { context.interrupts.setStop { _ in } }
        let start = context.now()
        let preset = Result { () throws(Failure) in try self.preset(in: context) }
        let events = ExportEvents(job: jobKey(preset, in: context), output: context.output)
        if style.isJSON {
            events.started(
                sources: arguments.composition.mediaSources.map(SourceText.shown),
                preset: arguments.presetName)
        }
        do throws(Failure) {
            let preset = try preset.get()
            let output = try outputPath(preset, in: context)
            do throws(Failure) {
                try await export(preset, to: output, fetchesWhole: false, in: context, events)
            } catch {
                // Origins that name every answer otherwise can only be read whole.
                guard error.code == Failure.changedCode else { throw error }
                try await export(preset, to: output, fetchesWhole: true, in: context, events)
            }
            return .success
        } catch {
            if style.isJSON { events.finished(error, after: context.now() - start) }
            throw error
        }
    }

    /// From here on a signal does not end the program before `finished` is out.
    private func outlastSignals(in context: CommandContext) {
        context.interrupts.setStop { _ in context.hurry() }
    }

    private func export(
        _ preset: ExportPreset, to output: String, fetchesWhole: Bool, in context: CommandContext,
        _ events: ExportEvents
    ) async throws(Failure) {
        let inputs = try await open(preset, events, fetchesWhole: fetchesWhole, in: context)
        defer {
            // What is told of signals holds the sources, which another try has to be able to write.
            outlastSignals(in: context)
            inputs.close()
        }
        let run = ExportRun(
            session: makeSession(inputs, preset, in: context), inputs: inputs, output: output,
            style: style)
        var report = try await export(run, in: context, events)
        report.warnings += inputs.warnings + omitted
        finish(report, inputs, events, in: context)
    }

    /// Makes the folder that was named with a slash at its end; nothing of it stays when nothing comes into it.
    private func export(
        _ run: ExportRun, in context: CommandContext, _ events: ExportEvents
    ) async throws(Failure) -> ExportReport {
        let makesFolder =
            Folder.endsInSlash(arguments.output) && !SourceText.isObject(run.output)
        let folder = makesFolder ? try OutputFolder(of: run.output) : nil
        do throws(Failure) {
            return try await run.perform(in: context, events: events)
        } catch {
            folder?.removeEmpty()
            throw error
        }
    }

    private func dryRun(in context: CommandContext) async throws(Failure) -> ExitCode {
        let preset = try preset(in: context)
        let output = arguments.hasOutput ? try outputPath(preset, in: context) : nil
        let inputs = try await RemoteInputs(
            arguments.composition.sources, arguments.network, for: preset, in: context)
        defer { inputs.close() }
        let session = makeSession(inputs, preset, in: context)
        context.interrupts.setStop { _ in
            session.cancel()
            inputs.cancel()
        }
        defer { context.interrupts.setStop(nil) }
        var forecast: ExportForecast
        do {
            forecast = try await session.forecast(
                to: output, makesFolder: Folder.endsInSlash(arguments.output))
        } catch {
            throw inputs.failure(error, signal: context.interrupts.signal)
        }
        forecast.plan.warnings += omitted
        show(forecast, in: context)
        return .success
    }

    private func show(_ forecast: ExportForecast, in context: CommandContext) {
        guard !style.isJSON else { return context.print(forecast.json) }
        let picture = TimelinePicture(forecast.plan)
        guard !arguments.drawsPicture else {
            let talk = Console(context, style)
            for warning in forecast.plan.warnings { talk.warning(warning.message) }
            let title = forecast.output.map(SourceName.file) ?? "timeline"
            return context.print(TimelineSVG.text(picture, title: title))
        }
        PlanText.lines(forecast.plan, output: forecast.output).forEach(context.print)
        guard !picture.isPlain else { return }
        let text = TimelineText(
            showsUnicode: context.terminal.showsUnicode,
            palette: context.palette(style.color, isOutput: true))
        let columns = context.terminal.outputIsTerminal ? context.columns() : 80
        ([""] + text.lines(picture, columns: columns)).forEach(context.print)
    }

    /// Finds out what is at the addresses among the sources; says so when that takes its time.
    private func open(
        _ preset: ExportPreset, _ events: ExportEvents, fetchesWhole: Bool,
        in context: CommandContext
    ) async throws(Failure) -> RemoteInputs {
        let printer = ProgressPrinter(context)
        defer { printer.close() }
        return try await RemoteInputs(
            arguments.composition.sources, arguments.network, isWhole: fetchesWhole, for: preset,
            in: context
        ) {
            let progress = events.steady(JobProgress(phase: "fetch", fraction: 0))
            if style.isJSON { events.progress(progress) }
            if !style.isQuiet { printer.show(progress) }
        }
    }

    private func makeSession(
        _ inputs: RemoteInputs, _ preset: ExportPreset, in context: CommandContext
    ) -> any RunningSession {
        var settings = arguments.settings
        settings.posterPath = settings.posterPath.map(context.resolve)
        // Only the JSON form shows it, and hashing a large copy takes as long as making it.
        settings.computesChecksum = style.isJSON
        let request = self.request(preset, settings, in: context)
        var work = ForegroundWork(request, sources: request.sources.map(inputs.source))
        work.objects = S3Environment(context.environment)
        let session = context.engine.session(work)
        // What is left of a source that cannot be fetched on is not taken for the whole.
        inputs.onFailure { [weak session] in session?.cancel() }
        return session
    }

    private func preset(in context: CommandContext) throws(Failure) -> ExportPreset {
        do {
            let name = context.presetPlace(arguments.presetName)
            let preset = try ExportPreset.resolve(name, in: context.presetFolder)
            return try preset.setting(arguments.presetChanges).writing(to: arguments.output)
        } catch {
            throw Failure(error, setBy: arguments.presetOrigin)
        }
    }

    private func outputPath(
        _ preset: ExportPreset, in context: CommandContext
    ) throws(Failure) -> String {
        let inputs = arguments.composition.sources.map(context.resolve)
        let path = try OutputPath.resolve(
            arguments.output, inputs: inputs,
            fileExtension: preset.fileExtension, in: context)
        if arguments.settings.overwrite != .unique {
            try OutputPath.check(path, isNoneOf: inputs)
        }
        if let poster = arguments.settings.posterPath {
            try OutputPath.requireLocal(poster, "a poster")
            try OutputPath.check(context.resolve(poster), isNoneOf: inputs)
        }
        return path
    }

    private func request(
        _ preset: ExportPreset, _ settings: ExportSettings, in context: CommandContext
    ) -> ExportRequest {
        ExportRequest(
            arguments.composition.renamingSources(context.resolve), preset: preset,
            settings: settings)
    }

    /// The id that a queue would give the same job.
    private func jobKey(
        _ preset: Result<ExportPreset, Failure>, in context: CommandContext
    ) -> String {
        // A preset that cannot be read has no content to go by.
        let unread = ExportPreset(
            name: arguments.presetName, description: "", container: .mp4)
        return JobKey.make(
            ExportRequest(
                arguments.composition.renamingSources(context.absolute),
                preset: (try? preset.get()) ?? unread, settings: arguments.settings))
    }

    private func finish(
        _ report: ExportReport, _ inputs: RemoteInputs, _ events: ExportEvents,
        in context: CommandContext
    ) {
        guard !style.isJSON else { return events.finished(report) }
        let talk = Console(context, style)
        for warning in report.warnings { talk.warning(warning.message) }
        guard !style.isQuiet else { return }
        let sizes = arguments.composition.mediaSources.map {
            inputs.byteCount(of: $0) ?? OutputPath.size(context.resolve($0)) ?? 0
        }
        context.print(SummaryText.line(report, sourceBytes: sizes.reduce(0, +)))
    }
}

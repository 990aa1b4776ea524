import Foundation
import TakeupCache
import TakeupModel
import TakeupIntake
import TakeupJobs
import TakeupLanes
import TakeupService
import TakeupWorker

/// Says what each job of a batch would do; writes nothing, and makes no database.
struct BatchPreview: Sendable {
    /// What would become of one job.
    enum Forecast {
        /// The file that it would answer with.
        case cached(String)
        /// Waits or runs in the queue.
        case underway(JobRecord)
        case planned(ExportForecast)
        case failing(Failure)
    }

    private let specs: [JobSpec]
    private let places: StatePlaces
    private let worker: WorkerOptions
    private let style: OutputStyle

    init(
        _ specs: [JobSpec], _ places: StatePlaces, _ worker: WorkerOptions, _ style: OutputStyle
    ) {
        (self.specs, self.places, self.worker, self.style) = (specs, places, worker, style)
    }

    func perform(in context: CommandContext) async throws(Failure) -> ExitCode {
        let files = FileManager.default
        let queue =
            try places.hasQueue() ? try context.openQueue(places) : nil
        let cache =
            queue != nil && files.fileExists(atPath: places.cache)
            ? try context.openCache(places, worker.limits) : nil
        var failed = 0
        for spec in try queue?.settled(specs) ?? specs {
            let forecast =
                if let known = try await known(spec, queue, cache) {
                    known
                } else {
                    try await planned(spec, in: context)
                }
            if case .failing = forecast { failed += 1 }
            if style.isJSON {
                context.print(forecast.json(spec))
            } else {
                forecast.lines(spec).forEach(context.print)
            }
        }
        return failed == 0 ? .success : .someFailed
    }

    /// What the queue, the cache and the output's place say, in the order in which a worker asks; nil when all are
    /// free.
    private func known(
        _ spec: JobSpec, _ queue: QueueAccess?, _ cache: CacheAccess?
    ) async throws(Failure) -> Forecast? {
        if let record = try queue?.job(spec.id) {
            let isSame = record.spec.isSameWork(as: spec)
            if isSame, !record.state.isTerminal { return .underway(record) }
            if isSame, let result = record.lastResult, isStillThere(record) {
                return .cached(result.output)
            }
            if !isSame, !record.state.isTerminal { return .failing(.conflict(spec.id)) }
        }
        let taken: (path: String, bytes: Int64?)?
        do throws(Failure) { taken = try await self.taken(spec) } catch { return .failing(error) }
        if let entry = try cache?.answer(spec), taken == nil || taken?.bytes == entry.bytes {
            return .cached(spec.request.output ?? entry.path)
        }
        let isThere = spec.request.sources.allSatisfy {
            SourceText.isAddress($0) || OutputPath.size($0) != nil
        }
        guard let taken, isThere else { return nil }
        return .failing(Failure(ExportError.outputExists(taken.path)))
    }

    /// The output's name, and the size of what has it, when it is in use and may not be taken.
    private func taken(
        _ spec: JobSpec
    ) async throws(Failure) -> (path: String, bytes: Int64?)? {
        guard let output = spec.request.output, spec.request.settings.overwrite == .fail else {
            return nil
        }
        guard BucketOutput.isMeant(by: output) else {
            let isThere = (try? FileManager.default.attributesOfItem(atPath: output)) != nil
            return isThere ? (output, OutputPath.size(output)) : nil
        }
        let object = try BucketOutput(output, .fail, places.bucketSettings)
        let bytes: Int64?
        do {
            bytes = try await Lane("takeup.objects").run { try object.size() }
        } catch {
            throw (error as? Failure) ?? .unexpected(error)
        }
        return bytes.map { (output, $0) }
    }

    private func planned(
        _ spec: JobSpec, in context: CommandContext
    ) async throws(Failure) -> Forecast {
        let inputs: RemoteInputs
        do throws(Failure) {
            inputs = try await RemoteInputs(
                spec.request.sources, worker.network, for: spec.request.preset, in: context)
        } catch {
            if context.interrupts.signal != nil { throw error }
            return .failing(error)
        }
        defer { inputs.close() }
        do throws(ExportError) {
            var work = ForegroundWork(
                spec.request, sources: spec.request.sources.map(inputs.source))
            work.objects = places.bucketSettings
            let session = context.engine.session(work)
            context.interrupts.setStop { _ in
                session.cancel()
                inputs.cancel()
            }
            defer { context.interrupts.setStop(nil) }
            let object = spec.request.output.flatMap { BucketOutput.isMeant(by: $0) ? $0 : nil }
            var forecast = try await session.forecast(to: object, makesFolder: false)
            if object == nil, let output = spec.request.output {
                try session.checkPlace(output)
                forecast.output = try WorkForecast.place(
                    output, spec.request.settings.overwrite)
            }
            return .planned(forecast)
        } catch {
            if context.interrupts.signal != nil {
                throw Failure(error, signal: context.interrupts.signal)
            }
            return .failing(inputs.failure(error, signal: nil))
        }
    }

    /// Whether the result stands as it was left, and no source was changed since; the worker compares contents.
    private func isStillThere(_ record: JobRecord) -> Bool {
        guard let result = record.lastResult, let finishedAt = record.finishedAt,
            OutputPath.size(result.output) == result.bytes
        else { return false }
        return record.spec.request.sources.allSatisfy { source in
            OutputPath.modified(source).map { $0 < finishedAt } ?? false
        }
    }
}

extension BatchPreview.Forecast {
    func lines(_ spec: JobSpec) -> [String] {
        let name = spec.title.escaped
        switch self {
        case .cached(let place):
            return ["\(name): cached: \(place.escaped)"]
        case .underway(let record): return ["\(name): \(record.state.rawValue) in the queue"]
        case .planned(let forecast):
            let output = forecast.output?.escaped ?? "the cache alone"
            return ["\(name): would export to \(output)"]
                + PlanText.lines(forecast.plan, indent: "  ")
        case .failing(let failure):
            return ["\(name): would fail: \(failure.message.escaped)"]
                + (failure.advice.isEmpty ? [] : ["  \(failure.advice.escaped)"])
        }
    }

    func json(_ spec: JobSpec) -> JSONValue {
        var members: JSONValue
        switch self {
        case .cached(let place): members = ["would": "cached", "output": .text(place)]
        case .underway(let record):
            members = [
                "would": .text(record.state.rawValue),
                "output": .text(optional: spec.request.output),
            ]
        case .planned(let forecast):
            members = [
                "would": "export", "output": .text(optional: forecast.output),
                "plan": forecast.json,
            ]
        case .failing(let failure):
            members = ["would": "fail", "output": .null, "error": failure.json]
        }
        members = members.prefixed("source", spec.sourceJSON)
        return members.prefixed("job", .text(spec.id.rawValue)).prefixed("type", "forecast")
    }
}

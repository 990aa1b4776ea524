internal import TakeupHTTP
internal import TakeupJobs
internal import TakeupMediaClient
internal import TakeupModel
internal import TakeupWorker

/// What an export would do, without doing it.
package struct PlanRoutes {
    private let tools: ServeTools
    private let intake: JobIntake
    private let uploads: UploadPaths

    package init(_ tools: ServeTools) {
        self.tools = tools
        intake = JobIntake(tools)
        uploads = tools.desk.uploads.paths
    }

    package var routes: [Route] {
        [
            Route("POST", "/v1/plan", .submit) { request in
                request.collect(upTo: Self.mostBytes) { bytes throws(Refusal) in
                    .json(try plan(try intake.job(bytes), request))
                }
            },
            Route("POST", "/v1/presets/for", .submit) { request in
                request.collect(upTo: Self.mostBytes) { bytes throws(Refusal) in
                    .json(try answers(try intake.job(bytes), request))
                }
            },
        ]
    }

    static let mostBytes = 1_000_000

    private func plan(
        _ spec: JobSpec, _ request: RoutedRequest
    ) throws(Refusal) -> JSONValue {
        switch try plans(spec, [spec.request.preset], request).first {
        case .plan(let plan):
            return uploads.shown(ExportForecast(plan: plan, output: spec.request.output).json)
        case .refused(let error): throw Refusal(uploads.shown(Failure(error)))
        case nil: throw Refusal(Failure(.cancelled))
        }
    }

    /// How every preset that has a name gets on with the sources.
    private func answers(
        _ spec: JobSpec, _ request: RoutedRequest
    ) throws(Refusal) -> JSONValue {
        let presets = KnownPreset.all(in: tools.presetFolder).map(\.preset)
        let found = try plans(spec, presets, request)
        let answers = zip(presets, found).map { preset, answer in
            switch answer {
            case .plan(let plan): PresetAnswer(preset, plan: plan, failure: nil)
            case .refused(let error): PresetAnswer(preset, plan: nil, failure: Failure(error))
            }
        }
        return uploads.shown(.list(answers.map(\.json)))
    }

    private func plans(
        _ spec: JobSpec, _ presets: [ExportPreset], _ request: RoutedRequest
    ) throws(Refusal) -> [PlanAnswer] {
        try Refusal.attempt { () throws(Failure) in
            do throws(Failure) {
                return try tools.desk.media.plans(
                    spec, presets: presets, from: tools.sources,
                    isAbandoned: request.http.isAbandoned)
            } catch {
                throw uploads.shown(error)
            }
        }
    }
}

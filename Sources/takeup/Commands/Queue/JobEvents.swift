import TakeupJobs
import TakeupModel
import TakeupService

/// Writes the life of jobs as JSON lines.
struct JobEvents: Sendable {
    private let output: any TextSink
    private let now: @Sendable () -> Double
    private var story = JobStory()

    init(_ context: CommandContext) {
        (output, now) = (context.output, context.now)
    }

    mutating func started(_ spec: JobSpec) { write(story.started(spec)) }

    mutating func progress(_ spec: JobSpec, _ progress: JobProgress) {
        write(story.progress(spec, progress, now: now()))
    }

    mutating func warning(_ spec: JobSpec, _ warning: JobResult.Warning) {
        write(story.warning(spec, warning))
    }

    mutating func finished(_ ending: JobEnding) { write(story.finished(ending)) }

    private func write(_ objects: [JSONValue]) {
        for object in objects { output.write("\(object)\n") }
    }
}
